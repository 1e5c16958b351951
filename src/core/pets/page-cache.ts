import { LRUCache } from 'lru-cache'
import type { Change, Changes } from '../../database/changes.ts'
import type { Decision } from '../../limiter/decision.ts'
import { maxEntries } from '../../tools/max-entries.ts'
import type { PageCounts } from '../../tools/metrics.ts'
import type { Caller } from '../keys/caller.ts'
import { trustedMs } from './invalidate-pages.ts'
import { openPageIndex } from './page-index.ts'

/* A page is shown only while all three conditions hold, so that no reader sees an old page:
   - No line of the log of changes has invalidated the page. The database writes the line in the change's own
     transaction, whether the change comes from a request or from psql, and each process reads the log ten times a
     second.
   - The last successful read of the log began less than `trustedMs` ago. So no page is older than that, whatever
     fails.
   - The page's version equals the project's version, which Redis returned when the reader's request was charged to the
     project. A writer renews the version between its commit and its answer, so a read after the answer sees the change
     at once. If Redis does not answer, the writer waits until no process trusts a read of the log from before the
     commit. After a failover, Redis may return an old version; the old page is still not shown, because the log has
     invalidated it.
   As a safety net, entries expire after one minute. */
const maxAgeMs = 60_000
/**
 * Timeout for a read of the log of changes. After the timeout, the page is read without the cache. The timeout is short
 * because readers must be answered 503 within two seconds even while a read of the log hangs.
 */
const timeoutMs = 50

/**
 * An answer, cached as the bytes to send. `bytes` is its size; null: do not cache. Pets with ids above `lastId` cannot
 * change the answer. If `lastId` is null, any new pet may change it.
 */
export type Cacheable = { bytes: number | null; lastId: bigint | null }

export type PageCache<Answer extends Cacheable> = {
  /**
   * Returns the cached answer or builds it. `version` is from `versionForPages`; if it is null, the cache is not used.
   * `question` includes the project.
   */
  find(
    projectId: number,
    version: string | null,
    question: string,
    make: () => Promise<Answer>,
  ): Promise<Answer> | Answer
}

/**
 * Returns the version of the project's pages for a reader. Returns null for a person: a person's requests are charged to
 * the person, so the decision contains no version of the project.
 */
export const versionForPages = ({ person }: Caller, decision: Decision | null): string | null =>
  person ? null : (decision?.version ?? null)

type Entry<Answer> = {
  projectId: number
  version: string
  madeAt: number
  answer: Promise<Answer> | Answer
  lastId: bigint | null
}

/** Overhead of an entry, in bytes. */
const overhead = 500
/** Size of a typical answer with its overhead. */
const usualBytes = 2000

/** More pages than one process builds at the same time. */
const mostUnderWay = 10_000

/**
 * Builds a page once for all requests that wait for the page, and caches a page from its second request on. A page that
 * is requested only once is not cached: a client that reads a whole store evicts no page, and its pages leave the
 * memory with the young objects, which costs V8 little. `of` names the resource whose changes invalidate the pages.
 */
export function openPageCache<Answer extends Cacheable>(
  changes: Changes,
  maxBytes: number,
  of: readonly Change['what'][] = ['pets'],
  counts: PageCounts = { hits: 0, misses: 0 },
): PageCache<Answer> {
  const mostBytes = maxBytes / 64
  const questions = openPageIndex()
  const requestedBefore = new LRUCache<string, true>(maxEntries(maxBytes / usualBytes))
  const underWay = new LRUCache<string, Entry<Answer>>(maxEntries(mostUnderWay))
  const cached = new LRUCache<string, Entry<Answer>>({
    maxSize: maxBytes,
    ttl: maxAgeMs,
    ttlResolution: 100,
    perf: performance,
    dispose: ({ projectId }, question) => questions.remove(projectId, question),
  })
  let shared: { read: Promise<void>; inTime: Promise<void> } | undefined

  changes.follow(change => {
    if (change !== null && !of.includes(change.what)) return
    // After a change, do not share pages that are still being built, of any project, and do not cache them. They will be
    // complete soon, and searching them for the pages of one project would cost time at each change.
    if (underWay.size > 0) underWay.clear()
    if (change === null || change.projectId === null) return cached.clear()
    for (const question of questions.invalidatedBy(change.projectId, change.leastId)) cached.delete(question)
  })

  function makeEntry(
    projectId: number,
    version: string,
    question: string,
    make: () => Promise<Answer>,
  ): Promise<Answer> {
    const isNew = !requestedBefore.has(question)
    requestedBefore.set(question, true)
    const answer = make()
    const entry = { projectId, version, madeAt: performance.now(), answer, lastId: null }
    cached.delete(question)
    underWay.set(question, entry)
    // If the page was invalidated while it was built, return it but do not cache it.
    const isCurrent = () => underWay.peek(question) === entry
    answer.then(
      made => {
        if (!isCurrent()) return
        underWay.delete(question)
        if (!isNew) keep(question, { ...entry, answer: made, lastId: made.lastId }, made.bytes)
      },
      () => isCurrent() && underWay.delete(question),
    )
    return answer
  }

  function keep(question: string, entry: Entry<Answer>, bytes: number | null): void {
    if (bytes === null || bytes > mostBytes) return
    cached.set(question, entry, { size: overhead + question.length + bytes, start: entry.madeAt })
    questions.add(entry.projectId, question, entry.lastId)
  }

  function hit({ answer }: Entry<Answer>): Promise<Answer> | Answer {
    counts.hits++
    return answer
  }

  function missed(answer: Promise<Answer>): Promise<Answer> {
    counts.misses++
    return answer
  }

  /** Readers that wait for the same read of the log share one timeout. */
  function readInTime(): Promise<void> {
    const read = changes.read()
    if (shared?.read !== read) shared = { read, inTime: inTime(read) }
    return shared.inTime
  }

  return {
    find(projectId, version, question, make) {
      if (version === null || !changes.isTrusted(trustedMs)) return missed(make())
      const entry = underWay.get(question) ?? cached.get(question)
      if (entry?.version === version) return hit(entry)
      // The entry has an older version, so pets of the project may have changed, but a full page is often still valid.
      // Reading the log of changes shows whether the page is valid, and costs less than reading the page again.
      if (!entry || entry.lastId === null) return missed(makeEntry(projectId, version, question, make))
      return readInTime().then(
        () => {
          if (cached.peek(question) !== entry) return missed(makeEntry(projectId, version, question, make))
          entry.version = version
          return hit(entry)
        },
        () => missed(make()),
      )
    },
  }
}

function inTime(read: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error('The log of changes was not read in time.'))
    const timer = setTimeout(giveUp, timeoutMs).unref()
    read.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
