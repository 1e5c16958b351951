/**
 * A server-sent event. If `data` is null, the program gets no event; the client only remembers `id`, from which a new
 * connection continues.
 */
export type Frame = { id: string | null; data: string | null }

/** Parses server-sent events. Drops the last event if it is incomplete. */
export async function* readFrames(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
  quietMs: number,
): AsyncGenerator<Frame> {
  const reader = stream.getReader()
  const utf8 = new TextDecoder()
  const cancel = () => void reader.cancel().catch(() => {})
  signal?.addEventListener('abort', cancel)
  let rest = ''
  try {
    for (;;) {
      const watch = setTimeout(cancel, quietMs)
      const { value, done } = await reader.read().finally(() => clearTimeout(watch))
      if (done) return
      const frames = (rest + utf8.decode(value, { stream: true })).split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) yield readFrame(frame)
    }
  } finally {
    signal?.removeEventListener('abort', cancel)
    cancel()
  }
}

function readFrame(text: string): Frame {
  const read = (field: string) =>
    text
      .split('\n')
      .find(line => line.startsWith(`${field}: `))
      ?.slice(field.length + 2) ?? null
  return { id: read('id'), data: read('data') }
}
