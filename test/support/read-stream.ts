import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'

/** A client that reads server-sent events, as a browser's `EventSource` would. */
export type StreamReader = {
  status: number
  headers: IncomingMessage['headers']
  /** The body of a refusal. */
  text(): string
  events: { id: string; event: string; data: unknown }[]
  /** Resolves when the server has ended the stream. */
  ended: Promise<unknown>
  close(): void
}

export async function readStream(
  url: string,
  headers: Record<string, string>,
  body?: string,
): Promise<StreamReader> {
  const outgoing = request(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { accept: 'text/event-stream', ...headers },
    agent: false,
  })
  outgoing.on('error', () => {})
  outgoing.end(body)
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  const events: StreamReader['events'] = []
  let text = ''
  let rest = ''
  response.setEncoding('utf8')
  response.on('data', (part: string) => {
    text += part
    const frames = (rest + part).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const fields = Object.fromEntries(frame.split('\n').map(line => line.split(/: (.*)/s).slice(0, 2)))
      if (fields.data) events.push({ id: fields.id, event: fields.event, data: JSON.parse(fields.data) })
    }
  })
  response.on('error', () => {})
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: () => text,
    events,
    ended: new Promise(resolve => response.on('close', resolve)),
    close: () => void outgoing.destroy(),
  }
}
