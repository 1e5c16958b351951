import type { Charge, Decision } from './limiter.ts'

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
