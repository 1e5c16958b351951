// The PostgreSQL, the Redis and the rows that all contestants stand on.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres, startRedis } from '../test/support/services.ts'
import { fill, type Keys } from './fill.ts'
import type { Size } from './questions.ts'

export type Ground = {
  size: Size
  databaseUrl: string
  redisUrl: string
  keys: Keys
  keysFile: string
  folder: string
  stop(): Promise<void>
}

export async function layGround(size: Size): Promise<Ground> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-bench-'))
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  const keys = await fill(postgres.url, size)
  const keysFile = join(folder, 'keys.json')
  writeFileSync(keysFile, JSON.stringify(keys.known))
  return {
    size,
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    keys,
    keysFile,
    folder,
    async stop() {
      await Promise.all([postgres.stop(), redis.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
