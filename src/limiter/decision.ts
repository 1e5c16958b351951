import type { Charge } from './charge.ts'

/** `resetAt` is in epoch milliseconds, as every instant here. */
export type WindowState = { name: string; limit: number; remaining: number; resetAt: number; seconds: number }
export type Decision = {
  outcome: 'accepted' | 'limited' | 'banned'
  windows: WindowState[]
  banEndsAt: number | null
  banBegins: boolean
  /** When to try again after a refusal: the end of the ban, or of the last window that is too full. */
  retryAt: number | null
  /** By the clock that decided, like every instant here; what is left until one of them is counted from this. */
  decidedAt: number
  /** The subject's version as Redis had it when the charge was decided; null where that is not known. */
  version: string | null
}

/** What a store of counts finds: 0 accepted, 1 limited, 2 banned; `states` are used and end of each window in turn. */
export type Counts = {
  now: number
  outcome: number
  /** 0 for no ban. */
  banEndsAt: number
  banBegins: boolean
  version: string | null
  states: number[]
}

const outcomes = ['accepted', 'limited', 'banned'] as const

export function makeDecision(charge: Charge, counts: Counts): Decision {
  const { now: decidedAt, banEndsAt, banBegins, version, states } = counts
  const outcome = outcomes[counts.outcome]
  let sum = decidedAt + banEndsAt
  let fullUntil = 0
  const windows = charge.windows.map(({ name, seconds, limit, points = charge.points }, index) => {
    const used = states[2 * index] ?? Number.NaN
    const resetAt = states[2 * index + 1] ?? Number.NaN
    sum += used + resetAt
    if (points > 0 && used + points > limit) fullUntil = Math.max(fullUntil, resetAt)
    return { name, limit, remaining: Math.max(0, limit - used), resetAt, seconds }
  })
  // Without this a broken answer would be shown as a refusal.
  if (outcome === undefined || Number.isNaN(sum)) throw new Error('the counts of a charge cannot be read')
  const retryAt = outcome === 'accepted' ? null : banEndsAt || fullUntil
  return { outcome, windows, banEndsAt: banEndsAt || null, banBegins, retryAt, decidedAt, version }
}
