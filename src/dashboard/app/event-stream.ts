import type { Credential } from './credential.ts'
import { askRest, RestError } from './rest.ts'

export type StreamedEvent = {
  id: string
  type: string
  subject?: string
  data: Record<string, unknown>
}

const pauseMs = 5_000

/**
 * Follows the events of these types until `signal` is aborted. Reconnects when the stream ends. Stops silently if the
 * store refuses the stream, for example one stream too many: the page works without the stream.
 */
export async function followEvents(
  credential: Credential,
  types: readonly string[],
  signal: AbortSignal,
  onEvent: (event: StreamedEvent) => void,
): Promise<void> {
  let last = ''
  while (!signal.aborted) {
    try {
      const headers = { Accept: 'text/event-stream', ...(last && { 'Last-Event-ID': last }) }
      const answer = await askRest(credential, `/v1/events?type=${types}`, { headers, signal })
      if (!answer.body) return
      for await (const frame of framesOf(answer.body)) {
        if (frame.id) last = frame.id
        if (frame.data) onEvent(JSON.parse(frame.data))
      }
    } catch (error) {
      if (error instanceof RestError && error.code !== 'offline') return
    }
    if (!signal.aborted) await new Promise(done => setTimeout(done, pauseMs))
  }
}

/**
 * Parses server-sent events. Each line of an event is one field with a name and a value. An empty line ends the event.
 */
async function* framesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    text += value
    const frames = text.split('\n\n')
    text = frames.pop() ?? ''
    for (const frame of frames) {
      // A name in the data may contain U+2028, which a dot matches only with the flag s.
      const lines = frame.split('\n').map(line => /^(\w+): ?(.*)$/s.exec(line) ?? [])
      yield Object.fromEntries(lines.map(([, name, value]) => [name, value])) as {
        id?: string
        data?: string
      }
    }
  }
}
