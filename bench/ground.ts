// Starts the PostgreSQL and the Redis that all contestants share, and fills them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { type Service, startPostgres, startRedis } from '../test/support/services.ts'
import { parentOf } from './account.ts'
import { withClient } from './database.ts'
import { fill, type Keys } from './fill.ts'
import { copyForOthers } from './others-copy.ts'
import { serve } from './processes.ts'
import type { Size } from './questions.ts'

/** A running PostgreSQL with the store's empty tables, and a running Redis. */
export type Services = {
  databaseUrl: string
  redisUrl: string
  /** Processes whose CPU time is reported beside the contestant's. */
  pids: { redis: number; postgres: number }
  folder: string
  stop(): Promise<void>
}

export type Ground = Services & {
  size: Size
  /** A copy of the rows, for contestants other than the store. */
  othersUrl: string
  keys: Keys
  keysFile: string
}

export async function layGround(size: Size, forOthers = false): Promise<Ground> {
  const services = await startServices()
  const keys = await fill(services.databaseUrl, size)
  const othersUrl = forOthers ? await copyForOthers(services.databaseUrl) : services.databaseUrl
  const keysFile = join(services.folder, 'keys.json')
  writeFileSync(keysFile, JSON.stringify(keys.known))
  return { ...services, size, othersUrl, keys, keysFile }
}

/** `settings`: PostgreSQL settings that are needed before its start. */
export async function startServices(settings: Record<string, string> = {}): Promise<Services> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-bench-'))
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  // PostgreSQL's default buffers do not hold both copies of the rows, so a contestant would have to read its rows from
  // disk after another contestant's turn.
  await configure(postgres, { shared_buffers: '512MB', ...settings })
  await migrate(postgres.url, redis.url, folder)
  return {
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    pids: { redis: await redisPid(redis.url), postgres: await postgresPid(postgres.url) },
    folder,
    async stop() {
      await Promise.all([postgres.stop(), redis.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The store creates its tables when it starts. */
async function migrate(databaseUrl: string, redisUrl: string, folder: string): Promise<void> {
  const anyone = { method: 'GET', path: '/v1/pets', headers: {} } as const
  const env = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, LOG_LEVEL: 'error' }
  await (await serve('../src/start.js', folder, env, anyone)).stop()
}

async function configure(postgres: Service, settings: Record<string, string>): Promise<void> {
  await withClient(postgres.url, async client => {
    for (const [name, value] of Object.entries(settings)) {
      await client.query(`alter system set ${name} = ${client.escapeLiteral(value)}`)
    }
  })
  await postgres.restart()
}

async function postgresPid(url: string): Promise<number> {
  return withClient(url, async client => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return parentOf(rows[0]?.pid ?? 0)
  })
}

async function redisPid(url: string): Promise<number> {
  const redis = new Redis(url)
  const server = await redis.info('server')
  redis.disconnect()
  return Number(/^process_id:(\d+)/m.exec(server)?.[1])
}
