import { freshRedis } from './databases.ts'

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
