import { LRUCache } from 'lru-cache'

const subjects = 10_000

export type Pace = {
  /** This many pass at once, if none came before. */
  burst: number
  perSecond: number
  longestMs: number
}

/** Returns a function that gives the milliseconds that the next act of a subject has to wait in this process. */
export function openDelays({ burst, perSecond, longestMs }: Pace) {
  /** When the last act of each subject is due, in milliseconds. */
  const dueAt = new LRUCache<string, number>({ max: subjects })
  const [stepMs, burstMs] = [1_000 / perSecond, (burst * 1_000) / perSecond]

  return (subject: string, now: number): number => {
    const due = Math.max(dueAt.get(subject) ?? 0, now - burstMs) + stepMs
    dueAt.set(subject, Math.min(due, now + longestMs))
    return Math.min(Math.max(0, due - now), longestMs)
  }
}
