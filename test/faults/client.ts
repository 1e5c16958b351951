import { Agent, type IncomingHttpHeaders, request } from 'node:http'

/** The timeout of each request: a hang is recorded and does not block the run. */
const patienceMs = 15_000

/** `status` is 0 if the connection was refused or cut, and null if no answer came in time. */
export type Answer = {
  what: string
  sentAt: number
  answeredAt: number
  status: number | null
  headers: IncomingHttpHeaders
  text: string
}
export type Question = { method?: string; body?: object; headers?: Record<string, string> }
export type Client = { ask(url: string, question?: Question): Promise<Answer>; close(): void }

/** A client that keeps connections open. With `secret` it sends this key. */
export function openClient(secret: string | null): Client {
  const agent = new Agent({ keepAlive: true })
  return {
    ask(url, { method = 'GET', body, headers = {} } = {}) {
      const bytes = body && JSON.stringify(body)
      const sentAt = performance.now()
      const sent = {
        ...(secret && { authorization: `Bearer ${secret}` }),
        ...(bytes && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes) }),
        ...headers,
      }
      return new Promise(resolve => {
        const end = (status: number | null, headers: IncomingHttpHeaders = {}, text = '') =>
          resolve({
            what: `${method} ${new URL(url).pathname}`,
            sentAt,
            answeredAt: performance.now(),
            status,
            headers,
            text,
          })
        const outgoing = request(
          url,
          { method, agent, headers: sent, signal: AbortSignal.timeout(patienceMs) },
          response => {
            let text = ''
            response.setEncoding('utf8')
            response.on('data', chunk => {
              text += chunk
            })
            response.on('end', () => end(response.statusCode ?? 0, response.headers, text))
            response.on('error', () => end(0))
          },
        )
        outgoing.on('error', ({ name }) => end(name === 'AbortError' || name === 'TimeoutError' ? null : 0))
        outgoing.end(bytes)
      })
    },
    close: () => agent.destroy(),
  }
}
