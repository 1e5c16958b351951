import { StoreError } from './errors.ts'

/** Passes on the bytes of a streamed answer. If the connection ends too soon, reading fails with a `StoreError`. */
export function failAsStoreError(
  stream: ReadableStream<Uint8Array>,
  origin: string,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await reader.read()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (cause) {
          const message = `The answer of ${origin} broke off: what was read is incomplete.`
          controller.error(new StoreError('connection_failed', message, { cause }))
        }
      },
      cancel: reason => reader.cancel(reason),
    },
    // Read the next bytes of the answer only when the program asks for bytes.
    { highWaterMark: 0 },
  )
}
