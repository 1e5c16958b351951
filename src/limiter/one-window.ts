import type { Cluster, Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, RLWrapperTimeouts } from 'rate-limiter-flexible'
import type { Clock } from '../tools/clock.ts'
import type { Budget, OneWindowCharge } from './charge.ts'
import type { Decision } from './decision.ts'

type Counter = Pick<RateLimiterMemory, 'consume' | 'get' | 'reward' | 'delete'>
/** Where a budget is counted: in Redis, or in the memory that is its insurance. */
type Counters = { inRedis: Counter; inMemory: Counter }

/**
 * Budgets of one window, counted by rate-limiter-flexible. The management of a project is not among them: an operation pays
 * it together with the store's windows or not at all, and what is charged together has to be counted in one place.
 */
export function openOneWindow(redis: Redis | Cluster | null, clock: Clock, patienceMs: number) {
  const known = new Map<Budget, Counters>()

  return async (act: 'charge' | 'peek', charge: OneWindowCharge, isInRedis: boolean): Promise<Decision> => {
    const counters = known.get(charge.budget) ?? openCounters(charge.budget)
    const counter = isInRedis ? counters.inRedis : counters.inMemory
    return act === 'peek' ? peek(counter, charge) : consume(counter, charge)
  }

  function openCounters(budget: Budget): Counters {
    const { limit: points, seconds: duration } = budget.window
    const options = { keyPrefix: `animal-store:${budget.name}`, points, duration }
    const inMemory = new RateLimiterMemory(options)
    const counters = { inMemory, inRedis: redis ? insured(redis, options, inMemory, patienceMs) : inMemory }
    known.set(budget, counters)
    return counters
  }

  async function peek(counter: Counter, charge: OneWindowCharge): Promise<Decision> {
    const found = await counter.get(charge.who)
    if (found && isTooLong(found, charge.budget)) {
      await counter.delete(charge.who)
      return peek(counter, charge)
    }
    const { limit } = charge.budget.window
    const isRunning = found !== null && found.msBeforeNext > 0
    const remaining = isRunning ? Math.max(0, limit - found.consumedPoints) : limit
    const isFull = charge.points > remaining
    return decisionOf(charge.budget, remaining, isRunning ? found.msBeforeNext : null, isFull)
  }

  async function consume(counter: Counter, charge: OneWindowCharge): Promise<Decision> {
    const { budget, who, points } = charge
    const consumed = await counter.consume(who, points).catch(refusalOrThrow)
    if (isTooLong(consumed, budget)) {
      await counter.delete(who)
      return consume(counter, charge)
    }
    const isRefused = consumed.consumedPoints > budget.window.limit
    // The library counts refused calls too. A charge of one point is refused only where nothing is left to lose.
    const left = isRefused && points > 1 ? await counter.reward(who, points) : consumed
    return decisionOf(budget, left.remainingPoints, consumed.msBeforeNext, isRefused)
  }

  function decisionOf(
    { window }: Budget,
    remaining: number,
    msLeft: number | null,
    isRefused: boolean,
  ): Decision {
    const decidedAt = clock.now()
    const lengthMs = window.seconds * 1000
    const resetAt = decidedAt + Math.min(msLeft ?? lengthMs, lengthMs)
    return {
      outcome: isRefused ? 'limited' : 'accepted',
      windows: [{ ...window, remaining, resetAt }],
      banEndsAt: null,
      banBegins: false,
      retryAt: isRefused ? resetAt : null,
      decidedAt,
      version: null,
    }
  }
}

function insured(
  redis: Redis | Cluster,
  options: { keyPrefix: string; points: number; duration: number },
  insuranceLimiter: RateLimiterMemory,
  timeoutMs: number,
): Counter {
  const limiter = new RateLimiterRedis({ ...options, storeClient: redis, rejectIfRedisNotReady: true })
  // The insurance belongs to the outermost: with one on either, a Redis that is silent would have it count twice.
  return new RLWrapperTimeouts({ limiter, timeoutMs, insuranceLimiter })
}

/** Clocks step back by so much all the time. */
const momentMs = 5000

/** A window that would last longer than it ever does, and not only by a moment, began before a clock was set back. */
function isTooLong({ msBeforeNext }: RateLimiterRes, { window }: Budget): boolean {
  return msBeforeNext > window.seconds * 1000 + momentMs
}

/** The library throws its refusals as it throws faults. */
function refusalOrThrow(thrown: unknown): RateLimiterRes {
  if (thrown instanceof RateLimiterRes) return thrown
  throw thrown
}
