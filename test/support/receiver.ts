import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { headers: IncomingHttpHeaders; body: string; event: { id: string; type: string } }

/** A receiver of webhooks, whose next answers the test chooses. */
export type Receiver = {
  url: string
  received: Received[]
  /** Answers with these statuses, one after the other, and then 204. `null` gives no answer at all. */
  answerNext(...answers: (number | null | { status: number; headers: Record<string, string> })[]): void
  /** Answers every request with this status until further notice. */
  answerAlways(status: number): void
  stop(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const next: Parameters<Receiver['answerNext']> = []
  let always = 204
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      received.push({ headers: request.headers, body, event: JSON.parse(body) })
      const answer = next.length > 0 ? next.shift() : always
      if (answer === null || answer === undefined) return
      const { status, headers } = typeof answer === 'number' ? { status: answer, headers: {} } : answer
      response.writeHead(status, headers).end(status === 204 ? undefined : `status ${status}`)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    answerNext: (...answers) => void next.push(...answers),
    answerAlways(status) {
      always = status
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
