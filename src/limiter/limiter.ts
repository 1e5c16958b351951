import type { Cluster, Redis } from 'ioredis'
import type { Changes } from '../database/changes.ts'
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
  /** As redis-limiter.ts writes it; null where no answer may be kept or taken from memory. */
  petsVersion: string | null
}
export type Limiter = {
  charge(charge: Charge): Promise<Decision>
  /** What charge would answer; costs nothing and counts nothing. */
  peek(charge: Charge): Promise<Decision>
  /**
   * To be awaited between the commit of a change to a subject's pets and the answer to it; the change is that this pet
   * came in, or where none is named, any. Fails when neither Redis nor PostgreSQL can be told.
   */
  renewPetsVersion(subject: string, newPet?: bigint): Promise<void>
  /** False while this process counts alone though there should be a Redis. */
  isExact(): boolean
  close(): void
}
export type Store = 'redis' | 'memory'
type Options = {
  redis: Redis | Cluster | null
  clock: Clock
  log: Logger
  /** Without it no pets version is known. */
  changes?: Changes
  count?: (store: Store) => void
}

/** Without Redis one process counts for itself, exactly; with it, memory is the insurance for an outage. */
export function openLimiter({ redis, clock, log, changes, count = () => {} }: Options): Limiter {
  const memory = new MemoryLimiter(clock, count, redis !== null)
  return redis ? new RedisLimiter({ redis, memory, clock, log, changes, count }) : memory
}
