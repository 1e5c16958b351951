import { LRUCache } from 'lru-cache'

/**
 * An answer that waits as the bytes it is sent in; `bytes` is what it weighs, or null where it is not to be kept. `lastId`
 * is the highest id that it speaks of: later pets leave it as it is. Null where any new pet may belong into it.
 */
export type Kept = { bytes: number | null; lastId: bigint | null }

export type PageCache<Answer extends Kept> = {
  /**
   * The answer to a question about a project's pets, as they are under this version. `make` must read them after the
   * version was given out; without a version nothing is kept.
   */
  find(version: string | null, question: string, make: () => Promise<Answer>): Promise<Answer> | Answer
}

type Entry<Answer> = { version: string; answer: Answer }

/** What an answer weighs beside its bytes. */
const overhead = 500

/**
 * Pages asked for at once under one version are made once; what was used longest ago goes first. A page waits in a small
 * place of its own until it is asked for again, so that whoever walks through a whole store drives out nothing that others
 * keep asking for.
 */
export function openPageCache<Answer extends Kept>(maxBytes: number): PageCache<Answer> {
  const atFirst = openShelf(maxBytes / 5)
  const again = openShelf((maxBytes / 5) * 4)
  /** Also of pages that are gone by now. */
  const askedOnce = new LRUCache<string, true>({ max: maxBytes / 1000 })
  const underWay = new Map<string, Entry<Promise<Answer>>>()

  return {
    find(version, question, make) {
      if (version === null) return make()
      const keptOn = again.get(question)
      const known = keptOn ?? atFirst.get(question)
      if (!known || !holds(known, version)) {
        const awaited = underWay.get(question)
        return awaited?.version === version ? awaited.answer : makeEntry(version, question, make)
      }
      known.version = version
      if (!keptOn) {
        atFirst.delete(question)
        put(again, question, known)
      }
      return known.answer
    },
  }

  function openShelf(maxSize: number) {
    return new LRUCache<string, Entry<Answer>>({ maxSize, maxEntrySize: maxBytes / 64 })
  }

  function put(shelf: typeof again, question: string, entry: Entry<Answer>): void {
    shelf.set(question, entry, { size: overhead + question.length + (entry.answer.bytes ?? 0) })
  }

  async function makeEntry(version: string, question: string, make: () => Promise<Answer>): Promise<Answer> {
    const entry = { version, answer: make() }
    underWay.set(question, entry)
    const isLatest = () => underWay.get(question) === entry
    try {
      const answer = await entry.answer
      if (isLatest() && answer.bytes !== null) {
        put(askedOnce.has(question) ? again : atFirst, question, { version, answer })
        askedOnce.set(question, true)
      }
      return answer
    } finally {
      if (isLatest()) underWay.delete(question)
    }
  }
}

/** A version is an era, the number of pets that came in it, and the least of their ids: see limiter.lua. */
function holds<Answer extends Kept>({ version: known, answer }: Entry<Answer>, version: string): boolean {
  if (known === version) return true
  if (answer.lastId === null) return false
  const eraEnd = version.indexOf(':')
  const least = version.slice(version.lastIndexOf(':') + 1)
  return (
    eraEnd > 0 &&
    known.startsWith(version.slice(0, eraEnd + 1)) &&
    least !== '' &&
    answer.lastId < BigInt(least)
  )
}
