import { reasonOf, StoreError } from './errors.ts'
import type { Request } from './request.ts'
import { failAsStoreError } from './stream.ts'
import { type Deadline, withTimer } from './time.ts'

/** A complete answer, or a streamed one whose bytes have not come yet. */
export type Come = { response: Response; text: string; stream: ReadableStream<Uint8Array> | null }

/**
 * Makes one attempt, and resolves when the whole answer has come or its stream begins. Rejects at the attempt's
 * timeout, at the call's deadline, or when the caller's signal aborts.
 */
export function attempt(
  fetch: typeof globalThis.fetch,
  { url, init, streamed }: Request,
  attemptMs: number,
  deadline: Deadline,
  signal: AbortSignal | undefined,
): Promise<Come> {
  const leftMs = deadline.leftMs()
  const isLast = leftMs <= attemptMs
  return withTimer(isLast ? leftMs : attemptMs, signal, async ended => {
    try {
      const response = await fetch(url, { ...init, signal: ended })
      if (streamed && response.ok) {
        const stream = response.body && failAsStoreError(response.body, new URL(url).origin)
        return { response, text: '', stream }
      }
      return { response, text: await response.text(), stream: null }
    } catch (cause) {
      signal?.throwIfAborted()
      const code = ended.aborted && isLast ? 'deadline_exceeded' : 'connection_failed'
      const late = ended.aborted ? ' in time' : ''
      const message = `No answer came from ${new URL(url).origin}${late}${reasonOf(cause)}.`
      throw new StoreError(code, message, { cause })
    }
  })
}
