import type { Contestant } from './contestants.ts'
import type { Ground } from './ground.ts'
import { type Served, serve } from './processes.ts'

export type Running = Contestant & Served

export async function startContestant(contestant: Contestant, ground: Ground): Promise<Running> {
  const greeting = contestant.greeting ?? { act: 'list', project: 1 }
  const env = {
    DATABASE_URL: contestant.name === 'ours' ? ground.databaseUrl : ground.othersUrl,
    REDIS_URL: ground.redisUrl,
    KEYS_FILE: ground.keysFile,
    ...contestant.env,
  }
  const request = await contestant.dialect(greeting, ground.keys)
  const served = await serve(contestant.file, ground.folder, env, request)
  return { ...contestant, ...served }
}
