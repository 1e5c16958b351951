import { StoreError } from './errors.ts'

/** The bytes of a streamed answer as they are read; a connection that ends too soon fails with a `StoreError`. */
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
          const message = `The answer of ${origin} broke off: what was read is not whole.`
          controller.error(new StoreError('connection_failed', message, { cause }))
        }
      },
      cancel: reason => reader.cancel(reason),
    },
    // Reads nothing ahead of the program.
    { highWaterMark: 0 },
  )
}
