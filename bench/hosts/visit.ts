import http from 'node:http'
import https from 'node:https'

/** The status is 0 if no answer came. */
export type Answer = { status: number; milliseconds: number }

/**
 * Number of visits so far. Each visit sends a different address in X-Forwarded-For, which the service accepts because
 * it trusts one proxy.
 */
let visitors = 0

export function visit(
  port: number,
  host: string,
  path: string,
  way: { agent?: http.Agent; secure?: { ca: string } } = {},
): Promise<Answer> {
  const visitor = ++visitors
  const startedAt = performance.now()
  const options = {
    host: '127.0.0.1',
    port,
    path,
    timeout: 10_000,
    headers: {
      host,
      'x-forwarded-for': `10.${(visitor >> 16) & 255}.${(visitor >> 8) & 255}.${visitor & 255}`,
    },
  }
  return new Promise(resolve => {
    const end = (status: number) => resolve({ status, milliseconds: performance.now() - startedAt })
    const request = way.secure
      ? https.request({ ...options, ...way.secure, servername: host, agent: false })
      : http.request({ ...options, ...(way.agent && { agent: way.agent }) })
    request.on('response', response => {
      response.resume()
      response.on('end', () => end(response.statusCode ?? 0))
      response.on('error', () => end(0))
    })
    request.on('timeout', () => request.destroy(new Error(`${host} does not answer.`)))
    request.on('error', () => end(0))
    request.end()
  })
}
