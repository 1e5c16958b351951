import { RateLimiterRes } from 'rate-limiter-flexible'
import type { Act, Addition, Charge, WindowRule } from './charge.ts'

/** `resetAt` is in epoch milliseconds, like every instant here. */
export type WindowState = { name: string; limit: number; remaining: number; resetAt: number; seconds: number }
export type Outcome = 'accepted' | 'limited' | 'banned'
const outcomes: readonly Outcome[] = ['accepted', 'limited', 'banned']

type Findings = {
  outcome: Outcome
  windows: WindowState[]
  banEndsAt: number | null
  banBegins: boolean
  /** When to try again after a refusal: the end of the ban, or of the last window that is too full. */
  retryAt: number | null
  /** By the clock that decided, like every instant here; measure remaining time from this one. */
  decidedAt: number
  /** The subject's version in Redis when the charge was decided; null if not known. */
  version: string | null
}

/** The limiter's answer in rate-limiter-flexible's terms, whose own numbers are those of the window with the fewest left. */
export class Decision extends RateLimiterRes implements Findings {
  readonly outcome: Outcome
  readonly windows: WindowState[]
  readonly banEndsAt: number | null
  readonly banBegins: boolean
  readonly retryAt: number | null
  readonly decidedAt: number
  readonly version: string | null

  constructor(findings: Findings, tightest: { remaining: number; used: number; resetAt: number }) {
    const { decidedAt, retryAt } = findings
    super(tightest.remaining, Math.max(0, (retryAt ?? tightest.resetAt) - decidedAt), tightest.used)
    this.outcome = findings.outcome
    this.windows = findings.windows
    this.banEndsAt = findings.banEndsAt
    this.banBegins = findings.banBegins
    this.retryAt = retryAt
    this.decidedAt = decidedAt
    this.version = findings.version
  }
}

/** A refusal rejects, as the library has it: this returns it like an acceptance, and throws everything else. */
export function acceptedOrRefused(consumed: Promise<Decision>): Promise<Decision> {
  return consumed.catch(refusalOrThrow)
}

function refusalOrThrow(thrown: unknown): Decision {
  if (thrown instanceof Decision) return thrown
  throw thrown
}

/**
 * Outcome of a store of counts: 0 accepted, 1 limited, 2 banned. `states` holds the used points and the end of each
 * window in turn.
 */
export type Counts = {
  now: number
  outcome: number
  /** 0 for no ban. */
  banEndsAt: number
  banBegins: boolean
  version: string | null
  states: number[]
}

type Maybe<T> = T | Promise<T>
/** Where charges are counted: in Redis for all processes, or in this process' memory. */
export type CountStore = {
  decide(act: Act, charge: Charge): Maybe<Counts>
  add(subject: string, windows: readonly Addition[]): Maybe<void>
  /** True if one of the windows was running. */
  reset(subject: string, windows: readonly WindowRule[]): Maybe<boolean>
  ban(subject: string, key: string, seconds: number): Maybe<void>
  /** True if the key was banned. */
  liftBan(subject: string, key: string): Maybe<boolean>
}

export function makeDecision(charge: Charge, counts: Counts): Decision {
  const { now: decidedAt, banEndsAt, banBegins, version, states } = counts
  const outcome = outcomes[counts.outcome]
  let sum = decidedAt + banEndsAt
  let fullUntil = 0
  let tightest = { remaining: Number.POSITIVE_INFINITY, used: 0, resetAt: decidedAt }
  const windows = charge.windows.map(({ name, seconds, limit, points = charge.points }, index) => {
    const used = states[2 * index] ?? Number.NaN
    const resetAt = states[2 * index + 1] ?? Number.NaN
    const remaining = Math.max(0, limit - used)
    sum += used + resetAt
    if (points > 0 && used + points > limit) fullUntil = Math.max(fullUntil, resetAt)
    if (remaining < tightest.remaining) tightest = { remaining, used, resetAt }
    return { name, limit, remaining, resetAt, seconds }
  })
  // Without this a broken answer would be shown as a refusal.
  if (outcome === undefined || Number.isNaN(sum)) throw new Error('the counts of a charge cannot be read')
  const retryAt = outcome === 'accepted' ? null : banEndsAt || fullUntil
  const findings = { outcome, windows, banEndsAt: banEndsAt || null, banBegins, retryAt, decidedAt, version }
  return new Decision(findings, tightest)
}
