import { LRUCache } from 'lru-cache'

/** An answer that waits as the bytes it is sent in; `bytes` is what it weighs, or null where it is not to be kept. */
export type Kept = { bytes: number | null }

export type PageCache<Answer extends Kept> = {
  /**
   * The answer to a question about a project's pets, as they are under this version. `make` must read them after the
   * version was given out; without a version nothing is kept.
   */
  find(version: string | null, question: string, make: () => Promise<Answer>): Promise<Answer>
}

/** Pages asked for at once under one version are made once; what was used longest ago goes first. */
export function openPageCache<Answer extends Kept>(maxBytes: number): PageCache<Answer> {
  type Entry = { version: string; answer: Promise<Answer> }
  const overhead = 500
  const entries = new LRUCache<string, Entry>({ maxSize: maxBytes, maxEntrySize: maxBytes / 64 })

  return {
    async find(version, question, make) {
      if (version === null) return make()
      const known = entries.get(question)
      if (known?.version === version) return known.answer
      const entry = { version, answer: make() }
      entries.set(question, entry, { size: overhead + question.length })
      const isCurrent = () => entries.peek(question) === entry
      try {
        const answer = await entry.answer
        if (isCurrent() && answer.bytes === null) entries.delete(question)
        else if (isCurrent())
          entries.set(question, entry, { size: overhead + question.length + (answer.bytes ?? 0) })
        return answer
      } catch (error) {
        if (isCurrent()) entries.delete(question)
        throw error
      }
    },
  }
}
