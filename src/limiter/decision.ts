import { RateLimiterRes } from 'rate-limiter-flexible'
import type { Act, Addition, Charge, WindowRule } from './charge.ts'

/** `resetAt` is in milliseconds since 1970, like all times here. */
export type WindowState = { name: string; limit: number; remaining: number; resetAt: number; seconds: number }
export type Outcome = 'accepted' | 'limited' | 'banned'
const outcomes: readonly Outcome[] = ['accepted', 'limited', 'banned']

type Findings = {
  outcome: Outcome
  windows: WindowState[]
  banEndsAt: number | null
  banBegins: boolean
  /** When to retry after a refusal: at the end of the ban, or of the last full window. */
  retryAt: number | null
  /**
   * The time of the decision, by the clock of the store that decided. Compute remaining times relative to this time.
   */
  decidedAt: number
  /**
   * The subject's version in Redis at the time of the charge; null if unknown. Only the version of a project is renewed by
   * writers.
   */
  version: string | null
}

/**
 * The limiter's decision, as a result of the library rate-limiter-flexible. The fields of the library's class describe
 * the window with the fewest points left.
 */
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

/**
 * Returns the decision even if it is a refusal. The library's promise rejects with a refusal; any other rejection is
 * thrown.
 */
export function acceptedOrRefused(consumed: Promise<Decision>): Promise<Decision> {
  return consumed.catch(refusalOrThrow)
}

function refusalOrThrow(thrown: unknown): Decision {
  if (thrown instanceof Decision) return thrown
  throw thrown
}

/**
 * Result of a count store. `outcome`: 0 accepted, 1 limited, 2 banned. `states` has two numbers for each window: the
 * used points, then the window's end.
 */
export type Counts = {
  now: number
  outcome: number
  /** 0: no ban. */
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
  /** Returns true if one of the windows was running. */
  reset(subject: string, windows: readonly WindowRule[]): Maybe<boolean>
  ban(subject: string, key: string, seconds: number): Maybe<void>
  /** Returns true if the key was banned. */
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
  // Without this check, a broken answer would look like a refusal.
  if (outcome === undefined || Number.isNaN(sum))
    throw new Error('the limiter returned an answer without valid counts')
  const retryAt = outcome === 'accepted' ? null : banEndsAt || fullUntil
  const findings = { outcome, windows, banEndsAt: banEndsAt || null, banBegins, retryAt, decidedAt, version }
  return new Decision(findings, tightest)
}
