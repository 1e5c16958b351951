import { expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '../../src/database/open-database.ts'
import { freshDatabase, freshRedis } from '../support/databases.ts'
import { findProgram } from '../support/programs.ts'
import { startApp } from '../support/start-app.ts'

test.skipIf(!findProgram('postgres'))(
  'a service that ends has written its counted usage and leaves no connection and no timer',
  async () => {
    const { env, remove } = await freshDatabase()
    onTestFinished(remove)
    const redisUrl = await freshRedis()
    const begun = vi.spyOn(globalThis, 'setInterval')
    const ended = vi.spyOn(globalThis, 'clearInterval')
    onTestFinished(() => void vi.restoreAllMocks())
    const app = await startApp({ env: { ...env, ...(redisUrl && { REDIS_URL: redisUrl }) } })
    const store = await app.makeProject()
    const timersOf = (every: number) =>
      begun.mock.results.filter((_, i) => begun.mock.calls[i]?.[1] === every)
    const everyMinute = timersOf(60_000)
    // Stop the timers that write usage every second, so that the usage of the next request is written only at the end.
    for (const { value } of timersOf(1_000)) clearInterval(value)
    await store.get('/v1/pets')

    await app.stop()

    const { redis, database } = app.tools
    expect(database.pool?.ended).toBe(true)
    if (redis) await expect.poll(() => redis.status).toBe('end')
    expect(everyMinute).toHaveLength(1)
    expect(ended.mock.calls.flat()).toContain(everyMinute[0]?.value)
    const after = await openDatabase({ databaseUrl: env.DATABASE_URL ?? null, dataDir: '' })
    expect(await after.db.usage.findMany()).toMatchObject([
      { projectId: store.project.id, door: 'rest', requests: 1n, refusals: 0n },
    ])
    await after.close()
  },
)
