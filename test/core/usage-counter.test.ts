import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Caller } from '../../src/core/callers.ts'
import { hashSecret, makeSecret } from '../../src/core/secrets.ts'
import { openUsageCounter } from '../../src/core/usage-counter.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { openLog } from '../../src/tools/log.ts'
import { type FreshDatabase, freshDatabase } from '../support/databases.ts'

let fresh: FreshDatabase
let database: Database
beforeAll(async () => {
  fresh = await freshDatabase()
  database = await openDatabase({
    databaseUrl: fresh.env.DATABASE_URL ?? null,
    dataDir: fresh.env.DATA_DIR ?? '',
  })
})
afterAll(async () => {
  await database.close()
  await fresh.remove()
})

async function makeCallers(count: number): Promise<Caller[]> {
  const data = Array.from({ length: count }, () => ({
    slug: `tallied-${randomUUID()}`,
    name: 'A store',
    planName: 'free',
  }))
  const projects = await database.db.project.createManyAndReturn({ data })
  const keys = await database.db.apiKey.createManyAndReturn({
    data: projects.map(({ id }) => ({
      projectId: id,
      name: 'Key',
      prefix: 'as_12345678',
      hash: new Uint8Array(hashSecret(makeSecret())),
      scopes: [],
    })),
  })
  return keys.map(({ id, projectId }) => ({ project: { id: projectId }, key: { id } }) as Caller)
}

const usesOf = (callers: readonly Caller[]) =>
  database.db.usage.groupBy({
    by: ['door'],
    where: { projectId: { in: callers.map(({ project }) => project.id) } },
    _sum: { requests: true, refusals: true },
    _count: true,
    orderBy: { door: 'asc' },
  })

test('the use of more projects than one statement takes is written whole, each request once', async () => {
  const callers = await makeCallers(600)
  const ids = callers.map(({ key }) => key.id)
  const usageCounter = openUsageCounter(database, systemClock, openLog('silent'))

  for (const caller of callers) {
    usageCounter.countRequest(caller, 'rest', false)
    usageCounter.countRequest(caller, 'rest', false)
    usageCounter.countRequest(caller, 'graphql', true)
    usageCounter.countDeprecated(caller, 'getPet')
  }
  await usageCounter.close()

  expect(await usesOf(callers)).toEqual([
    { door: 'graphql', _count: 600, _sum: { requests: 0, refusals: 600 } },
    { door: 'rest', _count: 600, _sum: { requests: 1200, refusals: 0 } },
  ])
  const once = { count: 1, apiKeyId: { in: ids } }
  expect(await database.db.deprecatedUse.count({ where: once })).toBe(600)
  expect(await database.db.apiKey.count({ where: { id: { in: ids }, lastUsedAt: { not: null } } })).toBe(600)
})

test('of more projects than a second writes the rest waits for the next one, and adds up meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const callers = await makeCallers(600)
  const usageCounter = openUsageCounter(database, systemClock, openLog('silent'))
  const countAll = () => {
    for (const caller of callers) usageCounter.countRequest(caller, 'rest', false)
  }
  const written = async () => (await usesOf(callers))[0] ?? { _count: 0, _sum: { requests: 0 } }
  try {
    countAll()
    vi.advanceTimersByTime(1000)
    await vi.waitFor(async () => expect(await written()).toMatchObject({ _count: 500 }))
    countAll()
    vi.advanceTimersByTime(1000)
    await vi.waitFor(async () =>
      expect(await written()).toMatchObject({ _count: 600, _sum: { requests: 500 + 200 + 400 } }),
    )
  } finally {
    await usageCounter.close()
    vi.useRealTimers()
  }
  expect(await written()).toMatchObject({ _count: 600, _sum: { requests: 1200 } })
})
