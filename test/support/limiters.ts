import type { Charge } from '../../src/limiter/charge.ts'
import { acceptedOrRefused, type Decision } from '../../src/limiter/decision.ts'
import type { Limiter } from '../../src/limiter/limiter.ts'
import { freshRedis } from './databases.ts'

/** Returns the decision, accepted or refused. */
export const consume = (limiter: Limiter, charge: Charge): Promise<Decision> =>
  acceptedOrRefused(limiter.consume(charge.subject, charge.points, charge))

export const peek = (limiter: Limiter, charge: Charge): Promise<Decision> =>
  limiter.get(charge.subject, charge)

/**
 * The two ways in which a service counts requests. With Redis, the service also caches pages. Projects must be
 * separated in both ways.
 */
export const limiters = [
  { counting: 'without Redis', redisEnv: async (): Promise<Record<string, string>> => ({}) },
  {
    counting: 'with Redis',
    async redisEnv(): Promise<Record<string, string>> {
      const url = await freshRedis()
      return url === null ? {} : { REDIS_URL: url }
    },
  },
]

/** Asks three times. If the service caches the answer, the third answer comes from the cache. */
export async function thrice<Answer>(ask: () => Promise<Answer>): Promise<Answer[]> {
  return [await ask(), await ask(), await ask()]
}
