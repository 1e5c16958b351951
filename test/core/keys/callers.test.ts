import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Callers, openCallers } from '../../../src/core/keys/callers.ts'
import { hashSecret, makeSecret, prefixOf } from '../../../src/core/secrets.ts'
import { triggers } from '../../../src/database/change-log.ts'
import { type Changes, openChanges } from '../../../src/database/changes.ts'
import type { Database } from '../../../src/database/database.ts'
import { openDatabase } from '../../../src/database/open-database.ts'
import type { Columns } from '../../../src/database/statements.ts'
import { systemClock } from '../../../src/tools/clock.ts'
import { openLog } from '../../../src/tools/log.ts'
import { openMetrics } from '../../../src/tools/metrics.ts'
import { changesByHand } from '../../support/changes-by-hand.ts'
import { freshDatabase } from '../../support/databases.ts'
import { findProgram } from '../../support/programs.ts'

const keysOfAProject = 100
const secrets = Array.from({ length: 20_000 }, makeSecret)
const projectOf = (index: number) => Math.floor(index / keysOfAProject) + 1

describe.skipIf(!findProgram('postgres'))('20,000 cached keys', () => {
  let database: Database
  let changes: Changes
  let callers: Callers
  let rowsRead = 0
  /**
   * Counts the changes of limits, so that each repetition of a test sets a new limit. If a test set the old limit
   * again, the update would change no limit, and no key would be read again.
   */
  let changed = 0
  let close: () => Promise<void>

  beforeAll(async () => {
    const { env, remove } = await freshDatabase()
    const databaseUrl = env.DATABASE_URL ?? ''
    await insertKeys(databaseUrl)
    database = await openDatabase({ databaseUrl, dataDir: '' })
    changes = openChanges({ database, log: openLog('silent'), counts: openMetrics().changes })
    const counting: Database['run'] = async statement => {
      const rows = await database.run(statement)
      rowsRead += rows.filter(([hash]) => hash !== null).length
      return rows
    }
    callers = openCallers({ run: counting }, changes, systemClock)
    close = async () => {
      await changes.close()
      await database.close()
      await remove()
    }
    await useAll()
  })
  afterAll(() => close())
  beforeEach(async () => {
    await useAll()
    rowsRead = 0
  })

  /**
   * Looks up all keys in groups of a thousand, and reads the log of changes before each group. Cached keys may be used
   * for only 900 ms after the start of a read of the log, and on busy cores the look-up of all keys takes longer. If a
   * read of the log takes more than 450 ms, the log is read again, so that at least 450 ms are left for the group.
   */
  const useAll = async () => {
    const found: Awaited<ReturnType<Callers['find']>>[] = []
    for (let from = 0; from < secrets.length; from += 1_000) {
      do await changes.read()
      while (!changes.isTrusted(450))
      const some = secrets.slice(from, from + 1_000)
      found.push(...(await Promise.all(some.map(async secret => callers.find(secret)))))
    }
    return found
  }
  const sql = (text: string) => database.pool?.query(text)
  /** Makes a change by SQL, reads the log of changes, and returns the owners of the keys. */
  const after = async (change: string) => {
    await sql(change)
    return useAll()
  }

  it('each of 20,000 secrets finds its own key and project in the cache', async () => {
    const found = await useAll()

    expect(found.map(caller => caller?.key.prefix)).toEqual(secrets.map(prefixOf))
    expect(found.map(caller => caller?.project.slug)).toEqual(
      secrets.map((_, index) => `store-${projectOf(index)}`),
    )
  })

  it('no cached key is read from the database again while nothing changes', async () => {
    await useAll()

    expect(rowsRead).toBe(0)
  })

  it('a revoked key is read from the database again, and no other key is', async () => {
    const found = await after(`UPDATE api_keys SET revoked_at = now() WHERE hash = '${hashText(7)}'`)

    expect(rowsRead).toBe(1)
    expect(found[7]).toBeNull()
    expect(found[8]).not.toBeNull()
  })

  it('the keys of a project are read again when its limits change', async () => {
    const another = 100 + ++changed
    const found = await after(`UPDATE projects SET requests_per_minute = ${another} WHERE id = 3`)

    expect(rowsRead).toBe(keysOfAProject)
    const perMinute = found.map(caller => caller?.project.limits.perMinute)
    expect(perMinute.filter(limit => limit === another)).toHaveLength(keysOfAProject)
  })

  it('all keys are read again when a plan gets other limits', async () => {
    const another = 1_000 + ++changed
    const found = await after(`UPDATE plans SET requests_per_day = ${another} WHERE name = 'free'`)

    expect(rowsRead).toBe(secrets.length)
    expect(found[0]?.project.limits.perDay).toBe(another)
  })

  it('no key is read again when pets or hosts change, or a key is used', async () => {
    await after(`INSERT INTO pets (project_id, name, category_id) VALUES (1, 'Rex', 1);
      INSERT INTO deploys (project_id, succeeded, configuration, log) VALUES (1, true, '{}', '[]');
      UPDATE api_keys SET last_used_at = now() WHERE project_id = 2`)

    expect(rowsRead).toBe(0)
  })

  it('an unknown key is found once it is issued, and no other key is read again', async () => {
    const secret = makeSecret()
    expect(await callers.find(secret)).toBeNull()
    await sql(`INSERT INTO api_keys (id, project_id, name, prefix, hash, scopes)
      VALUES (gen_random_uuid(), 1, 'late', 'as_', '\\x${hashSecret(secret).toString('hex')}', '{pets:read}')`)
    await changes.read()

    expect(await callers.find(secret)).toMatchObject({ project: { id: 1 } })
    await useAll()
    expect(rowsRead).toBe(1)
  })

  it('a key is read again on its next use if the log of changes could not be read for nearly a second', async () => {
    // Only the tests read the log, because the periodic reading was not started.
    await expect.poll(() => changes.isTrusted(900)).toBe(false)

    await callers.find(secrets[5] ?? '')

    expect(rowsRead).toBe(1)
  })
})

it.each([
  ['is revoked', { what: 'keys', name: 'the hash' }],
  ['gets another project’s limits', { what: 'project', projectId: 1 }],
  ['is invalidated with all other keys', null],
] as const)(
  'if a key %s while the key is being read from the database, the next request reads the key again',
  async (_, change) => {
    const changes = changesByHand()
    const answers: (() => void)[] = []
    const run: Database['run'] = () => new Promise(resolve => answers.push(() => resolve([])))
    const callers = openCallers({ run }, changes, systemClock)
    const secret = makeSecret()

    const first = callers.find(secret)
    await expect.poll(() => answers.length).toBe(1)
    changes.announce(change)
    answers[0]?.()
    await first
    const second = callers.find(secret)

    await expect.poll(() => answers.length).toBe(2)
    answers[1]?.()
    await second
    expect(callers.find(secret)).toBeNull()
  },
)

it('a key is cached even if pets or hosts of its project changed while it was read', async () => {
  const changes = changesByHand()
  let reads = 0
  const run: Database['run'] = async () => {
    reads++
    for (const what of ['pets', 'hosts', 'orders', 'categories'] as const)
      changes.announce({ what, projectId: 1 })
    return []
  }
  const callers = openCallers({ run }, changes, systemClock)
  const secret = makeSecret()

  for (let time = 0; time < 2; time++) await callers.find(secret)

  expect(reads).toBe(1)
})

it('a key is served from the cache for 900 ms after the last read of the log of changes', async () => {
  const changes = changesByHand()
  let reads = 0
  const run: Database['run'] = async () => {
    reads++
    return []
  }
  const callers = openCallers({ run }, changes, systemClock)
  const secret = makeSecret()
  await callers.find(secret)

  changes.lookedAgo(890)
  await callers.find(secret)
  expect(reads).toBe(1)
  changes.lookedAgo(910)
  await callers.find(secret)
  expect(reads).toBe(2)
})

it.each([
  ['all keys', { what: 'keys' }],
  ['all projects', { what: 'project' }],
] as const)('a change of %s invalidates every cached key', async (_, change) => {
  const changes = changesByHand()
  let reads = 0
  const run: Database['run'] = async () => {
    reads++
    return []
  }
  const callers = openCallers({ run }, changes, systemClock)
  const secret = makeSecret()
  await callers.find(secret)

  changes.announce(change)
  await callers.find(secret)

  expect(reads).toBe(2)
})

it('a mistyped key causes no query', async () => {
  const run = vi.fn<Database['run']>(async () => [])
  const callers = openCallers({ run }, changesByHand(), systemClock)

  expect(await callers.find(`${makeSecret()}0`)).toBeNull()
  expect(run).not.toHaveBeenCalled()
})

/** A row of the key look-up, column by column. */
const rowOf = (secret: string, project: number, scopes: string, expiresAt: number | null): Columns => [
  ...[
    hashSecret(secret).toString('hex'),
    `key ${project}`,
    'as_',
    scopes,
    null,
    expiresAt === null ? null : String(expiresAt),
  ],
  ...[String(project), 'shop', 'Shop', 'free', 'f', '60', '1000', null],
  String(triggers.api_keys.length),
]

it('an expired key is refused, even if it is first used after its end', async () => {
  const secret = makeSecret()
  const clock = { now: () => 1_000, aheadMs: () => 0 }
  const callersOf = (expiresAt: number) => {
    const run = async () => [rowOf(secret, 7, 'pets:read', expiresAt)]
    return openCallers({ run }, changesByHand(), clock)
  }

  expect(await callersOf(1_000).find(secret)).toBeNull()
  expect(await callersOf(1_001).find(secret)).not.toBeNull()
})

it('keys that are looked up together are matched to their secrets in any order, and unknown scopes are dropped', async () => {
  const secrets = Array.from({ length: 3 }, makeSecret)
  const [one = '', missing = '', other = ''] = secrets
  const run: Database['run'] = async () => [
    rowOf(other, 9, 'pets:write every:thing orders:read pets:read', null),
    rowOf(one, 7, 'pets:read', null),
  ]
  const callers = openCallers({ run }, changesByHand(), systemClock)
  const project = {
    ...{ slug: 'shop', name: 'Shop', planName: 'free', suspended: false },
    limits: { perMinute: 60, perDay: 1000 },
  }

  expect(await Promise.all([one, missing, other].map(secret => callers.find(secret)))).toEqual([
    {
      project: { ...project, id: 7 },
      key: { id: 'key 7', prefix: 'as_', scopes: ['pets:read'], issuedBy: null },
    },
    null,
    {
      project: { ...project, id: 9 },
      key: { id: 'key 9', prefix: 'as_', scopes: ['pets:read', 'pets:write', 'orders:read'], issuedBy: null },
    },
  ])
})

const hashText = (index: number) => `\\x${hashSecret(secrets[index] ?? '').toString('hex')}`

async function insertKeys(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(
    `INSERT INTO projects (id, slug, name) SELECT n, 'store-' || n, 'Store' FROM generate_series(1, $1) AS n`,
    [secrets.length / keysOfAProject],
  )
  await client.query(
    `INSERT INTO api_keys (id, project_id, name, prefix, hash, scopes)
     SELECT id, project_id, 'key', prefix, hash, '{pets:read}'
     FROM unnest($1::uuid[], $2::int[], $3::text[], $4::bytea[]) AS k (id, project_id, prefix, hash)`,
    [
      secrets.map(() => randomUUID()),
      secrets.map((_, index) => projectOf(index)),
      secrets.map(prefixOf),
      secrets.map(hashSecret),
    ],
  )
  await client.end()
}
