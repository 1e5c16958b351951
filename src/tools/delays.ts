import { LRUCache } from 'lru-cache'

const subjects = 10_000

export type Pace = {
  /** After a pause, this many actions pass without a delay. */
  burst: number
  perSecond: number
  longestMs: number
}

/**
 * Returns a function that counts an action of a subject, and returns by how many milliseconds to delay the action. A
 * heavy action counts as several. Counts only in this process.
 */
export function openDelays({ burst, perSecond, longestMs }: Pace) {
  /** The time at which each subject's last action is due, in milliseconds. */
  const dueAt = new LRUCache<string, number>({ max: subjects })
  const [stepMs, burstMs] = [1_000 / perSecond, (burst * 1_000) / perSecond]

  return (subject: string, now: number, weight = 1): number => {
    const due = Math.max(dueAt.get(subject) ?? 0, now - burstMs) + stepMs * weight
    dueAt.set(subject, Math.min(due, now + longestMs))
    return Math.min(Math.max(0, due - now), longestMs)
  }
}
