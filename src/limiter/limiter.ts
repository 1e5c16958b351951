import type { Cluster, Redis } from 'ioredis'
import type { Clock } from '../tools/clock.ts'
import type { Logger } from '../tools/log.ts'
import { MemoryLimiter } from './memory-limiter.ts'
import { RedisLimiter } from './redis-limiter.ts'

/** A fixed window that begins with its first use. `points` is what the charge takes of this window, if not the charge's. */
export type WindowRule = { name: string; seconds: number; limit: number; points?: number }
/** A key with more refusals in a minute is banned; every ban within a day of another lasts twice as long as the one before. */
export type BanRule = { key: string; refusalsPerMinute: number; seconds: number; maxSeconds: number }
/** Windows of several budgets may stand in one charge: it takes its points of all of them, or of none. */
export type Charge = { subject: string; points: number; windows: readonly WindowRule[]; ban?: BanRule }
/** `resetAt` is in epoch milliseconds, as every instant here. */
export type WindowState = { name: string; limit: number; remaining: number; resetAt: number; seconds: number }
export type Decision = {
  outcome: 'accepted' | 'limited' | 'banned'
  windows: WindowState[]
  banEndsAt: number | null
  banBegins: boolean
  /** When to try again after a refusal: the end of the ban, or of the last window that is too full. */
  retryAt: number | null
  /** The subject's version as Redis had it when the charge was decided; null where that is not known. */
  version: string | null
}
export type Limiter = {
  charge(charge: Charge): Promise<Decision>
  /** What charge would answer; costs nothing and counts nothing. */
  peek(charge: Charge): Promise<Decision>
  /** Gives the subject a new version; false where Redis cannot be told, and others may go on with the old one. */
  renewVersion(subject: string): Promise<boolean>
  /** False while this process counts alone though there should be a Redis. */
  isExact(): boolean
  close(): void
}
export type Store = 'redis' | 'memory'
type Options = {
  redis: Redis | Cluster | null
  clock: Clock
  log: Logger
  count?: (store: Store) => void
}

/** Without Redis one process counts for itself, exactly; with it, memory is the insurance for an outage. */
export function openLimiter({ redis, clock, log, count = () => {} }: Options): Limiter {
  const memory = new MemoryLimiter(clock, count, redis !== null)
  return redis ? new RedisLimiter({ redis, memory, clock, log, count }) : memory
}
