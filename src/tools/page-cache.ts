import { LRUCache } from 'lru-cache'

/**
 * An answer that waits as the bytes it is sent in; `bytes` is what it weighs, or null where it is not to be kept. `reach`
 * is the highest id that it speaks of: later pets leave it as it is. Null where any new pet may belong into it.
 */
export type Kept = { bytes: number | null; reach: bigint | null }

export type PageCache<Answer extends Kept> = {
  /**
   * The answer to a question about a project's pets, as they are under this version. `make` must read them after the
   * version was given out; without a version nothing is kept.
   */
  find(version: string | null, question: string, make: () => Promise<Answer>): Promise<Answer> | Answer
}

type Entry<Answer> = { version: string; answer: Promise<Answer> | Answer }

/** Pages asked for at once under one version are made once; what was used longest ago goes first. */
export function openPageCache<Answer extends Kept>(maxBytes: number): PageCache<Answer> {
  const overhead = 500
  const entries = new LRUCache<string, Entry<Answer>>({ maxSize: maxBytes, maxEntrySize: maxBytes / 64 })

  return {
    find(version, question, make) {
      if (version === null) return make()
      const known = entries.get(question)
      if (!known || !holds(known, version)) return makeEntry(version, question, make)
      known.version = version
      return known.answer
    },
  }

  async function makeEntry(version: string, question: string, make: () => Promise<Answer>): Promise<Answer> {
    const answering = make()
    const entry: Entry<Answer> = { version, answer: answering }
    entries.set(question, entry, { size: overhead + question.length })
    const isCurrent = () => entries.peek(question) === entry
    try {
      const answer = await answering
      entry.answer = answer
      if (isCurrent() && answer.bytes === null) entries.delete(question)
      else if (isCurrent())
        entries.set(question, entry, { size: overhead + question.length + (answer.bytes ?? 0) })
      return answer
    } catch (error) {
      if (isCurrent()) entries.delete(question)
      throw error
    }
  }
}

/** A version is an era, the number of pets that came in it, and the least of their ids: see limiter.lua. */
function holds<Answer extends Kept>({ version: known, answer }: Entry<Answer>, version: string): boolean {
  if (known === version) return true
  if (answer instanceof Promise || answer.reach === null) return false
  const eraEnd = version.indexOf(':')
  const least = version.slice(version.lastIndexOf(':') + 1)
  return (
    eraEnd > 0 &&
    known.startsWith(version.slice(0, eraEnd + 1)) &&
    least !== '' &&
    answer.reach < BigInt(least)
  )
}
