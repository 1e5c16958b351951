import type { Charge } from '../../src/limiter/charge.ts'
import { acceptedOrRefused, type Decision } from '../../src/limiter/decision.ts'
import type { Limiter } from '../../src/limiter/limiter.ts'
import { freshRedis } from './databases.ts'

/** The decision, whether it accepts or refuses. */
export const consume = (limiter: Limiter, asked: Charge): Promise<Decision> =>
  acceptedOrRefused(limiter.consume(asked.subject, asked.points, asked))

export const peek = (limiter: Limiter, asked: Charge): Promise<Decision> => limiter.get(asked.subject, asked)

/**
 * Where a service counts, and so what it answers out of memory: with Redis a page that was asked for before, and without
 * it none. What keeps projects apart has to hold in both.
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

/** The first answer is made, the second learnt of or kept, and the third comes out of memory. */
export async function thrice<Answer>(ask: () => Promise<Answer>): Promise<Answer[]> {
  return [await ask(), await ask(), await ask()]
}
