import type { Cluster, Redis } from 'ioredis'
import type { Clock } from '../tools/clock.ts'
import type { Logger } from '../tools/log.ts'
import type { Charge, OneWindowCharge } from './charge.ts'
import type { Decision } from './decision.ts'
import { openMemory } from './memory.ts'
import { openOneWindow } from './one-window.ts'
import { Outage } from './outage.ts'
import { openShared } from './shared.ts'

export type Limiter = {
  charge(charge: Charge | OneWindowCharge): Promise<Decision>
  /** What charge would answer; costs nothing and counts nothing. */
  peek(charge: Charge | OneWindowCharge): Promise<Decision>
  /** Gives the subject a new version; false where Redis cannot be told, and others may go on with the old one. */
  renewVersion(subject: string): Promise<boolean>
  /** False while this process counts alone though there should be a Redis. */
  isExact(): boolean
  close(): void
}
export type Store = 'redis' | 'memory'
type Options = {
  redis: Redis | Cluster | null
  /** Where budgets of one window are counted. */
  gathering?: Redis | Cluster | null
  clock: Clock
  log: Logger
  count?: (store: Store) => void
  /** Hears how long Redis took to decide what was sent together. */
  time?: (seconds: number) => void
  /** How long Redis may take for an answer before memory counts in its place. */
  patienceMs?: number
}

const usualPatienceMs = 150

/**
 * Where a 429 is decided. The script of limiter.lua decides what takes several windows or may ban; rate-limiter-flexible
 * counts what is one window. Without Redis one process counts for itself, exactly; with it, memory bridges an outage.
 */
export function openLimiter(options: Options): Limiter {
  const { redis, gathering = redis, clock, log, count = () => {}, time = () => {} } = options
  const { patienceMs = usualPatienceMs } = options
  const shared = redis && openShared(redis, clock, log, time, patienceMs)
  const memory = openMemory(clock)
  const oneWindow = openOneWindow(gathering, clock, patienceMs)

  async function decide(act: 'charge' | 'peek', charge: Charge | OneWindowCharge): Promise<Decision> {
    const inRedis = shared?.isReady() ? shared : null
    if ('budget' in charge) {
      count(inRedis ? 'redis' : 'memory')
      return oneWindow(act, charge, inRedis !== null)
    }
    try {
      const decision = await inRedis?.decide(act, charge)
      if (decision) {
        count('redis')
        return decision
      }
    } catch (error) {
      requireOutage(error)
    }
    count('memory')
    return memory(act, charge)
  }

  return {
    charge: charge => decide('charge', charge),
    peek: charge => decide('peek', charge),
    async renewVersion(subject) {
      if (!shared) return true
      if (!shared.isReady()) return false
      return shared.renewVersion(subject).then(() => true, requireOutage)
    },
    isExact: () => shared === null || shared.isReady(),
    close: () => shared?.close(),
  }
}

/** Whatever else fails is a bug, and must not look like an outage. */
function requireOutage(error: unknown): false {
  if (error instanceof Outage) return false
  throw error
}
