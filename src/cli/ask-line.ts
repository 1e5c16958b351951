import { once } from 'node:events'
import type { Interface } from 'node:readline/promises'

/** Asks for one line. Returns null if Ctrl-C or Ctrl-D ends the question. */
export async function askLine(asking: Interface, question: string): Promise<string | null> {
  const closed = once(asking, 'close').then(() => null)
  // Ctrl-C and Ctrl-D reject the question with an AbortError. If the input is a pipe and ends, the question stays
  // pending, so `closed` is awaited too.
  const answered = asking.question(question).catch((error: Error) => {
    if (error.name === 'AbortError') return null
    throw error
  })
  const answer = await Promise.race([answered, closed])
  asking.close()
  return answer
}
