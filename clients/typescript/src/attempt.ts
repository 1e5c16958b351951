import { StoreError } from './errors.ts'
import type { Request } from './request.ts'
import { type Deadline, withTimer } from './time.ts'

export type Whole = { response: Response; text: string }

/** One try, until the whole answer is here; it ends by itself, with the deadline, or with the caller's signal. */
export function attempt(
  fetch: typeof globalThis.fetch,
  { url, init }: Request,
  attemptMs: number,
  deadline: Deadline,
  signal: AbortSignal | undefined,
): Promise<Whole> {
  const leftMs = deadline.leftMs()
  const isLast = leftMs <= attemptMs
  return withTimer(isLast ? leftMs : attemptMs, signal, async ended => {
    try {
      const response = await fetch(url, { ...init, signal: ended })
      return { response, text: await response.text() }
    } catch (cause) {
      signal?.throwIfAborted()
      const code = ended.aborted && isLast ? 'deadline_exceeded' : 'connection_failed'
      const late = ended.aborted ? ' in time' : ''
      throw new StoreError(code, `No answer came from ${new URL(url).origin}${late}.`, { cause })
    }
  })
}
