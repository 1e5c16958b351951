import type { RequestListener } from 'node:http'
import type { Express, Response } from 'express'
import { IncomingMessage, ServerResponse } from './node-http.ts'

/**
 * A header of ours and none that node writes by itself, such as the length of what is sent. Setting some twenty one by one costs
 * node more than writing them, so they wait in a list.
 */
export function gatherHeader(response: ServerResponse, name: string, value: string): void {
  const gathering = response as Gathering
  gathering.gathered ??= []
  const at = gathering.gathered.indexOf(name)
  if (at < 0) gathering.gathered.push(name, value)
  else gathering.gathered[at + 1] = value
}

/** Names and values in turn, as the lines that they are on the wire. */
export function linesOf(headers: readonly string[]): string {
  let lines = ''
  for (let i = 0; i < headers.length; i += 2) {
    const value = headers[i + 1] ?? ''
    if (value.includes('\n')) throw new Error(`The header ${headers[i]} would end its line.`)
    lines += `${headers[i]}: ${value}\r\n`
  }
  return lines
}

/** Headers that every answer has, and their lines. */
export type Standing = { headers: readonly string[]; lines: string }

/** What an answer says in any case, unless something else is set on purpose. */
export function beginWith(response: ServerResponse, standing: Standing): void {
  ;(response as Gathering).standing = standing
}

/** Several that always come together: names and values in turn. */
export function gatherHeaders(response: ServerResponse, headers: readonly string[]): void {
  const gathering = response as Gathering
  gathering.gathered ??= []
  const isAgain = gathering.gathered.includes(headers[0] ?? '')
  if (!isAgain) gathering.gathered.push(...headers)
  for (let i = 0; isAgain && i < headers.length; i += 2) {
    gatherHeader(response, headers[i] ?? '', headers[i + 1] ?? '')
  }
}

type Gathering = ServerResponse & { gathered?: string[] | undefined; standing?: Standing | undefined }

/**
 * What node makes of a connection's bytes, with Express's ways already in it: Express would otherwise exchange the
 * prototypes of both for every request.
 */
export type Classes = { IncomingMessage: typeof IncomingMessage; ServerResponse: typeof ServerResponse }

/** The app as a server takes it. */
export type App = RequestListener & { classes: Classes; warmUp(): Promise<unknown> }

function gatherAll(response: Gathering): string[] {
  response.gathered = [...(response.standing?.headers ?? []), ...(response.gathered ?? [])]
  response.standing = undefined
  return response.gathered
}

const { _storeHeader: storeHeader } = ServerResponse.prototype as unknown as {
  _storeHeader(firstLine: string, headers: unknown): void
}

export function makeClasses(app: Express): Classes {
  class StoreRequest extends IncomingMessage {}
  Object.setPrototypeOf(StoreRequest.prototype, app.request)

  class StoreResponse extends ServerResponse {
    gathered: string[] | undefined = undefined
    standing: Standing | undefined = undefined

    /** Every answer passes here, whoever gives it; what was set on purpose wins over what was gathered. */
    override writeHead(status: number, ...rest: unknown[]): this {
      if (rest.length === 0 && this.getHeaderNames().length === 0) {
        return super.writeHead(status, this.gathered)
      }
      const gathered = gatherAll(this)
      for (let i = 0; i < gathered.length; i += 2) {
        const [name = '', value = ''] = gathered.slice(i, i + 2)
        if (!this.hasHeader(name)) this.setHeader(name, value)
      }
      this.gathered = undefined
      return super.writeHead(status, ...(rest as []))
    }

    /**
     * Node's own and not documented: it checks each header and joins them behind the line of the status. Ours come in
     * with that line, which spares a tenth of a request.
     */
    _storeHeader(firstLine: string, headers: unknown): void {
      const areGathered = headers === this.gathered
      const lines = (this.standing?.lines ?? '') + (areGathered ? linesOf(this.gathered ?? []) : '')
      storeHeader.call(this, firstLine + lines, areGathered ? undefined : headers)
    }

    override removeHeader(name: string): void {
      super.removeHeader(name)
      const gathered = gatherAll(this)
      const at = gathered.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === name.toLowerCase())
      if (at >= 0) gathered.splice(at, 2)
    }
  }
  Object.setPrototypeOf(StoreResponse.prototype, app.response)

  app.request = StoreRequest.prototype as unknown as Express['request']
  app.response = StoreResponse.prototype as unknown as Response
  return { IncomingMessage: StoreRequest, ServerResponse: StoreResponse as typeof ServerResponse }
}
