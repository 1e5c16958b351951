import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Change, Changes } from '../../database/changes.ts'
import type { Limiter } from '../../limiter/limiter.ts'
import { growsTo } from '../../tools/grows-to.ts'
import type { PageCounts } from '../../tools/metrics.ts'
import type { Project } from '../project.ts'
import { openKeptQuestions } from './page-index.ts'

/*
 * Why no page is old. A kept page is shown only while all three hold:
 * - No line of the log of changes has hit it. The database writes the line in the change's own transaction, whoever makes
 *   the change, and each process reads all lines ten times a second.
 * - The last good look at the log began less than `trustedMs` ago. So no answer is older than that, whatever fails.
 * - The version that the reader's own charge brought from Redis is the page's. A writer renews it between commit and answer,
 *   so that whoever reads after the answer sees the change at once. A writer that Redis does not answer waits instead until
 *   no process trusts an earlier look. A version that a failed-over Redis brings back opens no page that the log has hit.
 * And no page is kept longer than a minute, for the fault that nobody thought of.
 */
export const trustedMs = 250
const marginMs = 10
const keptMs = 60_000
/** Who waited longer for a look at a log that hangs could not be answered 503 within two seconds. */
const patienceMs = 50

/** To be awaited between the commit of a change to a project's pets and the answer to it. */
export async function outdatePages(limiter: Pick<Limiter, 'renewVersion'>, project: Project): Promise<void> {
  const committedAt = performance.now()
  if (await limiter.renewVersion(String(project.id))) return
  await pause(committedAt + trustedMs + marginMs - performance.now())
}

/**
 * An answer that waits as the bytes it is sent in; `bytes` is what it weighs, or null where it is not to be kept. `lastId`
 * is the highest id that it speaks of where it is full: pets with higher ids leave it as it is. Null where any pet may
 * belong on it.
 */
export type Kept = { bytes: number | null; lastId: bigint | null }

export type PageCache<Answer extends Kept> = {
  /** The answer to a question about what a project's store holds. `version` is what the reader's charge brought, `question` names the project too. */
  find(
    projectId: number,
    version: string | null,
    question: string,
    make: () => Promise<Answer>,
  ): Promise<Answer> | Answer
}

type Entry<Answer> = {
  projectId: number
  version: string
  madeAt: number
  answer: Promise<Answer> | Answer
  /** What the answer weighs; null while it is being made. */
  bytes: number | null
  lastId: bigint | null
}

/** What an answer weighs beside its bytes. */
const overhead = 500
/** What it weighs with them, mostly. */
const usualBytes = 2000

/**
 * The share of all bytes that is for pages that nobody asked for before. Whoever asks for such a page once more mostly does
 * so at once. Of many that wait longer, each would outlive V8's collection of what is young, and by a walk through a store
 * stay in memory by the hundred megabytes, until the old is collected too.
 */
const shareOfNew = 1 / 40

/**
 * Pages asked for at once are made once. Those that somebody came back to are kept apart from new ones, so that whoever
 * walks through a whole store drives out nothing but other new pages. `of` is what the pages show, whose changes end them.
 */
export function openPageCache<Answer extends Kept>(
  changes: Changes,
  maxBytes: number,
  of: readonly Change['what'][] = ['pets'],
  counts: PageCounts = { hits: 0, misses: 0 },
): PageCache<Answer> {
  const mostBytes = maxBytes / 64
  const questions = openKeptQuestions()
  const askedBefore = new LRUCache<string, true>(growsTo(maxBytes / usualBytes))
  const askedOnce = openShare(maxBytes * shareOfNew)
  const askedAgain = openShare(maxBytes * (1 - shareOfNew))
  let shared: { look: Promise<void>; inTime: Promise<void> } | undefined

  /** Those that are still being made are in it as well. */
  function openShare(maxSize: number) {
    return new LRUCache<string, Entry<Answer>>({
      maxSize,
      ttl: keptMs,
      ttlResolution: 100,
      perf: performance,
      dispose: ({ projectId }, question) => questions.remove(projectId, question),
    })
  }

  const peek = (question: string) => askedAgain.peek(question) ?? askedOnce.peek(question)

  function forget(question: string): void {
    askedOnce.delete(question)
    askedAgain.delete(question)
  }

  function forgetAll(): void {
    askedOnce.clear()
    askedAgain.clear()
  }

  changes.follow(change => {
    if (change !== null && !of.includes(change.what)) return
    if (change === null || change.projectId === null) return forgetAll()
    for (const question of questions.hitBy(change.projectId, change.leastId)) forget(question)
  })

  function put(share: typeof askedOnce, question: string, entry: Entry<Answer>, bytes: number): void {
    // No page stands in both shares: the end of one would be taken for the end of the other.
    const otherShare = share === askedOnce ? askedAgain : askedOnce
    otherShare.delete(question)
    share.set(question, entry, { size: overhead + question.length + bytes, start: entry.madeAt })
    // After that, since what was there before is disposed of with its question.
    questions.add(entry.projectId, question, entry.lastId)
  }

  function findKept(question: string): Entry<Answer> | undefined {
    const again = askedAgain.get(question)
    if (again) return again
    const once = askedOnce.get(question)
    if (once && once.bytes !== null) put(askedAgain, question, once, once.bytes)
    return once
  }

  function makeEntry(
    projectId: number,
    version: string,
    question: string,
    make: () => Promise<Answer>,
  ): Promise<Answer> {
    const share = askedBefore.has(question) ? askedAgain : askedOnce
    askedBefore.set(question, true)
    const answer = make()
    const entry: Entry<Answer> = {
      ...{ projectId, version, madeAt: performance.now() },
      ...{ answer, bytes: null, lastId: null },
    }
    put(share, question, entry, 0)
    // What was hit or replaced while it was made is shown to who asked for it, and not kept.
    const isCurrent = () => peek(question) === entry
    answer.then(
      made => {
        if (!isCurrent()) return
        if (made.bytes === null || made.bytes > mostBytes) return forget(question)
        // Another entry, since the cache weighs none anew that it has already.
        put(share, question, { ...entry, answer: made, bytes: made.bytes, lastId: made.lastId }, made.bytes)
      },
      () => isCurrent() && forget(question),
    )
    return answer
  }

  function hit({ answer }: Entry<Answer>): Promise<Answer> | Answer {
    counts.hits++
    return answer
  }

  function missed(answer: Promise<Answer>): Promise<Answer> {
    counts.misses++
    return answer
  }

  /** Who shares a look shares the patience with it. */
  function lookInTime(): Promise<void> {
    const look = changes.look()
    if (shared?.look !== look) shared = { look, inTime: inTime(look) }
    return shared.inTime
  }

  return {
    find(projectId, version, question, make) {
      if (version === null || !changes.isTrusted(trustedMs)) return missed(make())
      const entry = findKept(question)
      if (entry?.version === version) return hit(entry)
      // A full page may well have outlived the change, which one look at the log tells for less than reading the page.
      if (!entry || entry.lastId === null) return missed(makeEntry(projectId, version, question, make))
      return lookInTime().then(
        () => {
          if (peek(question) !== entry) return missed(makeEntry(projectId, version, question, make))
          entry.version = version
          return hit(entry)
        },
        () => missed(make()),
      )
    },
  }
}

function inTime(look: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error('The log of changes was not read in time.'))
    const timer = setTimeout(giveUp, patienceMs).unref()
    look.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
