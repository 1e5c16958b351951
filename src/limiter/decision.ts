import type { Charge, Decision } from './limiter.ts'

/** What a store of counts finds: 0 accepted, 1 limited, 2 banned; `states` are used and end of each window in turn. */
export type Reply = {
  outcome: number
  banEndsAt: number
  banBegins: boolean
  version: string | null
  states: number[]
}

const outcomes = ['accepted', 'limited', 'banned'] as const

export function readDecision(charge: Charge, reply: Reply, version = reply.version): Decision {
  const { banEndsAt, banBegins } = reply
  const outcome = outcomes[reply.outcome] ?? 'limited'
  let fullUntil = 0
  const windows = charge.windows.map(({ name, seconds, limit, points = charge.points }, index) => {
    const used = reply.states[2 * index] ?? 0
    const resetAt = reply.states[2 * index + 1] ?? 0
    if (points > 0 && used + points > limit) fullUntil = Math.max(fullUntil, resetAt)
    return { name, limit, remaining: Math.max(0, limit - used), resetAt, seconds }
  })
  const retryAt = outcome === 'accepted' ? null : banEndsAt || fullUntil
  return { outcome, windows, banEndsAt: banEndsAt || null, banBegins, retryAt, version }
}
