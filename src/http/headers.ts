import type { RequestHandler, Response } from 'express'

/**
 * Collects headers for one `writeHead`: setting a dozen headers one by one costs Node.js more than writing them. A
 * header that is added again replaces the first one.
 */
export function addHeader(response: Response, name: string, value: string): void {
  const { headers } = response.locals
  if (!headers) return void response.setHeader(name, value)
  const at = placeOf(headers, name)
  if (at < 0) headers.push(name, value)
  else headers[at + 1] = value
}

/**
 * Returns the index of a header's name; -1 if the list has no such header. Reads only the names, at the even indexes,
 * because the client chooses the value of X-Request-Id, and the value may be the name of a header.
 */
function placeOf(headers: readonly string[], name: string): number {
  for (let i = 0; i < headers.length; i += 2) if (headers[i] === name) return i
  return -1
}

/** Adds a header beside others of the same name, because each cookie needs a header of its own. */
export function appendHeader(response: Response, name: string, value: string): void {
  const { headers } = response.locals
  if (headers) headers.push(name, value)
  else response.appendHeader(name, value)
}

/** Adds several headers at once; names and values alternate. */
export function addHeaders(response: Response, added: readonly string[]): void {
  const { headers } = response.locals
  if (headers && placeOf(headers, added[0] ?? '') < 0) return void headers.push(...added)
  for (let i = 0; i < added.length; i += 2) addHeader(response, added[i] ?? '', added[i + 1] ?? '')
}

export function headerOf(response: Response, name: string): string | undefined {
  const { headers } = response.locals
  if (!headers) return response.getHeader(name)?.toString()
  const at = placeOf(headers, name)
  return at < 0 ? undefined : headers[at + 1]
}

export function removeHeader(response: Response, name: string): void {
  const { headers } = response.locals
  if (!headers) return void response.removeHeader(name)
  const at = placeOf(headers, name)
  if (at >= 0) headers.splice(at, 2)
}

/**
 * Moves the collected headers from `locals.headers` to the response. Express and libraries set headers on the response
 * directly, so from here on `addHeader` does the same.
 */
export const setHeadersAtOnce: RequestHandler = (_request, response, next) => {
  const { headers } = response.locals
  if (headers) {
    delete response.locals.headers
    addHeaders(response, headers)
  }
  next()
}

/** Sends the status and all headers. The caller sends the body. */
export function sendHead(response: Response, status: number): void {
  response.writeHead(status, response.locals.headers)
}

/** Adds the date of the deprecation (RFC 9745), the date of the removal (RFC 8594) and a link to the replacement. */
export function addDeprecation(
  response: Response,
  { since, sunset }: { since: Date; sunset: Date },
  link: string,
): void {
  addHeader(response, 'Deprecation', `@${since.getTime() / 1000}`)
  addHeader(response, 'Sunset', sunset.toUTCString())
  addHeader(response, 'Link', link)
}
