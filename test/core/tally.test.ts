import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../src/core/callers.ts'
import { hashSecret, makeSecret } from '../../src/core/secrets.ts'
import { openTally } from '../../src/core/tally.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { type Database, openDatabase } from '../../src/tools/database.ts'
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

test('the use of more projects than one statement takes is written whole, each request once', async () => {
  const data = Array.from({ length: 600 }, (_, n) => ({
    slug: `tallied-${n}`,
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
  const callers = keys.map(({ id, projectId }) => ({ project: { id: projectId }, key: { id } }) as Caller)
  const tally = openTally(database, systemClock, openLog('silent'))

  for (const caller of callers) {
    tally.countRequest(caller, 'rest', false)
    tally.countRequest(caller, 'rest', false)
    tally.countRequest(caller, 'graphql', true)
    tally.countDeprecated(caller, 'getPet')
  }
  await tally.close()

  const uses = await database.db.usage.groupBy({
    by: ['door'],
    _sum: { requests: true, refusals: true },
    _count: true,
  })
  expect(uses.sort((a, b) => (a.door < b.door ? -1 : 1))).toEqual([
    { door: 'graphql', _count: 600, _sum: { requests: 0, refusals: 600 } },
    { door: 'rest', _count: 600, _sum: { requests: 1200, refusals: 0 } },
  ])
  expect(await database.db.deprecatedUse.count({ where: { count: 1 } })).toBe(600)
  expect(await database.db.apiKey.count({ where: { lastUsedAt: { not: null } } })).toBe(600)
})
