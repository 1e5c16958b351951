import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { sweepLog, triggers } from '../../src/database/change-log.ts'
import { type Change, openChanges } from '../../src/database/changes.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import type { Line } from '../../src/database/statements.ts'
import { openMetrics } from '../../src/tools/metrics.ts'
import { freshFolder } from '../support/databases.ts'
import {
  addPets,
  type Follower,
  follow,
  openFollower,
  session,
  spell,
  twoProjects,
} from '../support/follow-changes.ts'
import { findProgram } from '../support/programs.ts'
import { startPostgres } from '../support/services.ts'

const addCategory = `INSERT INTO categories (project_id, id, name) VALUES (1, 7, 'Dogs')`
const addOrder = (...pets: number[]) =>
  `INSERT INTO orders (project_id, pet_id, pet_name, category_id) SELECT 1, id, 'Rex', 1 FROM unnest('{${pets}}'::bigint[]) AS id`
const addKey = `INSERT INTO api_keys (id, project_id, name, prefix, hash, scopes)
  VALUES (gen_random_uuid(), 1, 'key', 'as_', decode(repeat('ab', 32), 'hex'), '{pets:read}')`
const aKey = `keys 1 ${'ab'.repeat(32)}`
const addDomain = `INSERT INTO domains (id, project_id, name, owned_name, created_at, looks_since)
  VALUES (gen_random_uuid(), 1, 'a.example', 'a.example', now(), now())`
const addDeploy = `INSERT INTO deploys (project_id, succeeded, configuration, log) VALUES (1, true, '{}', '[]')`
const addCertificate = `INSERT INTO certificates (name, wanted_since) VALUES ('a.example', now())`

describe.skipIf(!findProgram('postgres'))('the log of changes', () => {
  let follower: Follower
  beforeAll(async () => {
    follower = await openFollower()
  })
  afterAll(() => follower.stop())

  /** Runs `before`, then `change`, and returns what the log has recorded of `change`. */
  async function loggedBy(before: string, change: string): Promise<(string | null)[]> {
    const { sql, look } = follower
    await sql(`TRUNCATE projects, certificates RESTART IDENTITY CASCADE; UPDATE plans SET name = 'free' WHERE rank = 0;
      ${twoProjects}; ${before}`)
    await look()
    await sql(change)
    return look()
  }

  it.each([
    ['a pet is added', '', addPets(1, 7), ['pets 1 7']],
    [
      'pets of two projects are added at once',
      '',
      `${addPets(1, 9, 8)} UNION ALL SELECT 5, 2, 'Max', 1`,
      ['pets 1 8', 'pets 2 5'],
    ],
    ['pets are renamed', addPets(1, 7, 8), `UPDATE pets SET name = 'Max'`, ['pets 1 7']],
    [
      'a pet moves to another project',
      addPets(1, 7),
      'UPDATE pets SET project_id = 2',
      ['pets 1 7', 'pets 2 7'],
    ],
    ['a pet gets another id', addPets(1, 7), 'UPDATE pets SET id = 3', ['pets 1 3']],
    ['a pet is deleted', addPets(1, 7, 8), 'DELETE FROM pets WHERE id = 8', ['pets 1 8']],
    ['all pets are truncated', addPets(1, 7), 'TRUNCATE pets', ['pets all']],
    [
      'a pet replaces another',
      addPets(1, 7),
      `${addPets(1, 7)} ON CONFLICT (project_id, id) DO UPDATE SET name = excluded.name`,
      ['pets 1 7'],
    ],
    ['a category is named', '', addCategory, ['categories 1']],
    ['a category is renamed', addCategory, `UPDATE categories SET name = 'Cats'`, ['categories 1']],
    ['a category loses its name', addCategory, 'DELETE FROM categories', ['categories 1']],
    ['all categories are truncated', addCategory, 'TRUNCATE categories', ['categories all']],
    ['an order is placed', '', addOrder(7), ['orders 1 7']],
    ['orders are approved', addOrder(8, 7), `UPDATE orders SET status = 'approved'`, ['orders 1 7']],
    ['an order is deleted', addOrder(8, 7), 'DELETE FROM orders WHERE pet_id = 8', ['orders 1 8']],
    ['all orders are truncated', addOrder(7), 'TRUNCATE orders', ['orders all']],
    ['a key is issued', '', addKey, [aKey]],
    ['a key is revoked', addKey, 'UPDATE api_keys SET revoked_at = now()', [aKey]],
    [
      'a key gets another hash',
      addKey,
      `UPDATE api_keys SET hash = decode(repeat('cd', 32), 'hex')`,
      [aKey, `keys 1 ${'cd'.repeat(32)}`],
    ],
    ['a key is deleted', addKey, 'DELETE FROM api_keys', [aKey]],
    ['all keys are truncated', '', 'TRUNCATE api_keys CASCADE', ['keys all']],
    [
      'a project gets limits of its own',
      '',
      'UPDATE projects SET requests_per_minute = 9 WHERE id = 1',
      ['project 1'],
    ],
    [
      'a project gets another plan, which may or may not serve its domains',
      '',
      `UPDATE projects SET plan = 'pro' WHERE id = 1`,
      ['hosts 1 zoo', 'project 1'],
    ],
    [
      'a project gets another slug',
      '',
      `UPDATE projects SET slug = 'xenon' WHERE id = 1`,
      ['hosts 1 xenon', 'hosts 1 zoo', 'project 1'],
    ],
    [
      'a plan gets other limits',
      '',
      `UPDATE plans SET requests_per_minute = requests_per_minute + 1 WHERE name = 'free'`,
      ['project all'],
    ],
    [
      'a plan gets another name',
      '',
      `UPDATE plans SET name = 'gratis' WHERE name = 'free'`,
      ['hosts 1 zoo', 'hosts 2 farm', 'project 1', 'project 2', 'project all'],
    ],
    ['a domain is verified', '', addDomain, ['hosts 1 a.example']],
    ['a domain is lost', addDomain, 'UPDATE domains SET owned_name = NULL', ['hosts 1', 'hosts 1 a.example']],
    ['a project is deployed', '', addDeploy, ['hosts 1']],
    ['a certificate is ordered', '', addCertificate, ['hosts all a.example']],
    [
      'a certificate is issued',
      addCertificate,
      `UPDATE certificates SET chain = 'pem'`,
      ['hosts all a.example'],
    ],
    [
      'all hosts are truncated',
      '',
      'TRUNCATE domains, deploys, certificates',
      ['hosts all', 'hosts all', 'hosts all'],
    ],
  ])('the log of changes records that %s', async (_, before, change, expected) => {
    expect((await loggedBy(before, change)).sort()).toEqual(expected)
    expect(await follower.look()).toEqual([])
  })

  it.each([
    ['a pet stays as it is', addPets(1, 7), `${addPets(1, 7)} ON CONFLICT (project_id, id) DO NOTHING`],
    ['an update matches no pet', addPets(1, 7), `UPDATE pets SET name = 'Max' WHERE id = 1`],
    ['a key is used or renamed', addKey, `UPDATE api_keys SET last_used_at = now(), name = 'other'`],
    ['a domain is checked', addDomain, 'UPDATE domains SET looked_at = now()'],
    ['a certificate is tried again', addCertificate, 'UPDATE certificates SET attempts = 1'],
  ])('the log of changes records nothing if %s', async (_, before, change) => {
    expect(await loggedBy(before, change)).toEqual([])
  })

  it('each change is read from the log as soon as it is committed, even while other transactions are open', async () => {
    const { databaseUrl, sql, look } = await follow()
    const open = await session(databaseUrl)
    await open('BEGIN')
    await open(addPets(1, 1))
    await look()

    await sql(addPets(1, 2))
    expect(await look()).toEqual(['pets 1 2'])
    await open('SAVEPOINT here')
    await open(addPets(1, 3))
    await open('ROLLBACK TO here')
    await open(addPets(1, 4))
    expect(await look()).toEqual([])

    await open('COMMIT')
    expect(await look()).toEqual(['pets 1 1', 'pets 1 4'])
    expect(await look()).toEqual([])
  })

  it('a change that is rolled back is not read', async () => {
    const { databaseUrl, look } = await follow()
    const open = await session(databaseUrl)
    await open('BEGIN')
    await open(addPets(1, 1))
    await open('ROLLBACK')

    expect(await look()).toEqual([])
  })

  it('no change is lost or repeated in the log while many clients write at once', async () => {
    const { databaseUrl, look } = await follow()
    const sessions = await Promise.all(Array.from({ length: 6 }, () => session(databaseUrl)))
    let writing = sessions.length
    const seen: string[] = []

    const write = async (run: (text: string) => Promise<unknown>, writer: number) => {
      for (let n = 0; n < 40; n++) {
        await run('BEGIN')
        await run(addPets(1, writer * 1000 + n))
        if (n % 3 === 0) await run('SELECT pg_sleep(0.005)')
        await run(n % 10 === 9 ? 'ROLLBACK' : 'COMMIT')
      }
      writing--
    }
    const writers = sessions.map((run, index) => write(run, index + 1))
    while (writing > 0) seen.push(...(await look()).map(String))
    await Promise.all(writers)
    seen.push(...(await look()).map(String))

    const ids = sessions.flatMap((_, index) =>
      Array.from({ length: 40 }, (_, n) => [(index + 1) * 1000 + n, n] as const),
    )
    expect(seen.sort()).toEqual(
      ids
        .filter(([, n]) => n % 10 !== 9)
        .map(([id]) => `pets 1 ${id}`)
        .sort(),
    )
  })

  it('the changes of a role without access to the log are logged', async () => {
    const { databaseUrl, sql, look } = await follow()
    const role = `keeper_${process.pid}`
    await sql(`CREATE ROLE ${role}`)
    onTestFinished(async () => void (await sql(`DROP OWNED BY ${role}; DROP ROLE ${role}`)))
    await sql(`GRANT INSERT ON pets TO ${role}`)
    const keeper = await session(databaseUrl)
    await keeper(`SET ROLE ${role}`)

    await keeper(addPets(1, 1))

    expect(await look()).toEqual(['pets 1 1'])
  })

  it('changes under session_replication_role = replica are logged', async () => {
    const { databaseUrl, look } = await follow()
    const replica = await session(databaseUrl)
    await replica('SET session_replication_role = replica')

    await replica(addPets(1, 1))

    expect(await look()).toEqual(['pets 1 1'])
  })

  it('the list of triggers in the code equals the triggers of the log of changes in the database', async () => {
    const { sql } = await follow()

    const rows =
      await sql(`SELECT tgrelid::regclass::text AS table, array_agg(tgname::text ORDER BY tgname::text) AS names
      FROM pg_trigger WHERE tgname LIKE 'log\\_%' GROUP BY 1`)

    const known = Object.entries(triggers).map(([table, names]) => [table, [...names].sort()])
    expect(Object.fromEntries(rows.map(({ table, names }) => [table, names]))).toEqual(
      Object.fromEntries(known),
    )
  })

  it.each([
    [
      'triggers were off',
      'ALTER TABLE pets DISABLE TRIGGER log_pets_insert; ALTER TABLE pets ENABLE ALWAYS TRIGGER log_pets_insert',
      'the triggers of the log of changes were changed',
    ],
    [
      'the log was lost in a crash',
      'DELETE FROM changes_state',
      'the log of changes began again, for example after a crash of PostgreSQL',
    ],
    [
      'a restore replaced the tables',
      `CREATE TABLE other (LIKE changes_state INCLUDING ALL); INSERT INTO other SELECT * FROM changes_state;
       DROP TABLE changes_state; ALTER TABLE other RENAME TO changes_state`,
      'the tables were replaced, for example by a restore',
    ],
    [
      'the log was swept twice between two reads',
      'UPDATE changes_state SET sweep = sweep + 2',
      'the log of changes was not read for too long',
    ],
  ])('all caches are cleared, with one log line and one count, when %s', async (_, happening, reason) => {
    const { sql, look, said, changes, counts } = await follow()

    await sql(happening)

    expect(await look()).toEqual([null])
    expect(await look()).toEqual([])
    expect(said).toEqual([`All caches were cleared: ${reason}.`])
    expect(counts.timesForgotten).toBe(1)
    expect(changes.isTrusted(1000)).toBe(true)
  })

  it('a read of the log of changes is counted as late if the read takes longer than a cached page stays fresh', async () => {
    const { databaseUrl, look, counts, changes } = await follow()
    const holder = await session(databaseUrl)
    await holder('BEGIN; LOCK TABLE changes IN ACCESS EXCLUSIVE MODE')
    const before = counts.lateReads
    const began = performance.now()

    const looked = look()
    await holder('SELECT pg_sleep(0.3)')
    await holder('COMMIT')

    expect(await looked).toEqual([])
    expect(counts.lateReads).toBe(before + 1)
    // Changes during a read may be missed, so the age of the read counts from its start.
    expect(performance.now() - counts.readBeganAt).toBeGreaterThan(300)
    expect(counts.readBeganAt).toBeGreaterThanOrEqual(began)
    expect(changes.isTrusted(300)).toBe(false)
    expect(changes.isTrusted(60_000)).toBe(true)
  })

  it('while a trigger is off, the log of changes is not trusted, and one line in the service log has the repair statement', async () => {
    const { sql, look, said, changes } = await follow()

    const connections = async () =>
      (await sql('SELECT FROM pg_stat_activity WHERE datname = current_database()')).length
    const before = await connections()

    // The last statement of pg_restore --disable-triggers. The statement changes the triggers of pets from ENABLE
    // ALWAYS to plain ENABLE. The log of changes needs ENABLE ALWAYS, so the log counts these triggers as turned off.
    await sql('ALTER TABLE pets ENABLE TRIGGER USER')
    for (let time = 0; time < 3; time++) await expect(look()).rejects.toThrow()

    // The connection of a failed read is closed.
    await expect.poll(connections).toBeLessThan(before)

    expect(changes.isTrusted(60_000)).toBe(false)
    const [line = '', ...others] = said
    expect(others).toEqual([])
    await sql(line.slice(line.indexOf('ALTER TABLE')))
    expect(await look()).toEqual([null])
    expect(changes.isTrusted(60_000)).toBe(true)
    expect(said).toHaveLength(2)

    // The second fault is logged like the first.
    await sql('ALTER TABLE pets ENABLE TRIGGER USER')
    await expect(look()).rejects.toThrow()
    expect(said.slice(2)).toEqual([line])
  })

  it('the log of changes is not trusted while a trigger is missing, and the log of the service names the trigger', async () => {
    const { sql, look, said, changes } = await follow()

    await sql('DROP TRIGGER log_pets_delete ON pets')

    await expect(look()).rejects.toThrow()
    expect(changes.isTrusted(60_000)).toBe(false)
    expect(said.join()).toContain('Restore a backup: there is no trigger log_pets_delete.')
  })

  it('all caches are cleared after the connection of the log was lost', async () => {
    const { sql, look, said, counts } = await follow()

    await sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`)

    await expect(look()).rejects.toThrow()
    expect(await look()).toEqual([null])
    expect(said).toEqual([expect.stringMatching(/^The database cannot serve: /)])
    expect(counts.timesForgotten).toBe(1)
  })

  it('all caches are cleared after PostgreSQL was restarted, although no read has failed', async () => {
    const postgres = await startPostgres()
    onTestFinished(() => postgres.stop())
    const database = await openDatabase({ databaseUrl: postgres.url, dataDir: '' })
    onTestFinished(() => database.close())
    let line = await database.openLine()
    // Simulates a pooler, which delays a read while the PostgreSQL behind it is replaced.
    const openLine = async () => ({
      run: (query: Parameters<Line['run']>[0]) => line.run(query),
      close: async () => {},
    })
    const said: string[] = []
    const log = pino({ base: null }, { write: (text: string) => void said.push(text) })
    const changes = openChanges({
      database: { ...database, openLine },
      log,
      counts: openMetrics().changes,
    })
    onTestFinished(() => changes.close())
    await changes.read()
    const received: (Change | null)[] = []
    changes.follow(change => received.push(change))

    await line.close()
    await postgres.restart()
    line = await database.openLine()
    await changes.read()

    expect(received).toEqual([null])
    expect(said.join()).toContain('PostgreSQL was restarted')
  })

  it('one process sweeps the log once a minute, and deletes only changes that all processes have read', async () => {
    const { database, databaseUrl, sql, look } = await follow()
    const lines = async () => (await sql('SELECT project_id, least_id FROM changes')).map(row => row.least_id)
    const aMinuteLater = () => sql(`UPDATE changes_state SET swept_at = swept_at - interval '1 minute'`)
    const open = await session(databaseUrl)
    await open('BEGIN')
    await open(addPets(1, 1))
    await sql(addPets(1, 2))
    await aMinuteLater()
    await Promise.all([sweepLog(database), sweepLog(database)])
    expect(await sql('SELECT sweep FROM changes_state')).toEqual([{ sweep: '1' }])
    expect(await lines()).toContain('2')

    expect(await look()).toEqual(['pets 1 2'])
    await open('COMMIT')
    await aMinuteLater()
    await sweepLog(database)

    expect(await lines()).toEqual(['1'])
    expect(await look()).toEqual(['pets 1 1'])
  })

  it('after the data moved from another database, a sweep deletes no change that a process has not read', async () => {
    const { database, sql, look } = await follow()
    const lines = async () => (await sql('SELECT least_id FROM changes')).map(row => row.least_id)
    const aMinuteLater = "swept_at = swept_at - interval '1 minute'"
    await sql(addPets(1, 1))
    await sql(`UPDATE changes_state SET ${aMinuteLater}, horizon = '4000000000:4000000000:'`)

    await sweepLog(database)

    expect(await look()).toEqual(['pets 1 1'])
    await sql(`UPDATE changes_state SET ${aMinuteLater}`)
    await sweepLog(database)
    expect(await lines()).toEqual([])
  })
})

it('a change in the embedded database is read from its log of changes, as on PostgreSQL', {
  timeout: 60_000,
}, async () => {
  const { env, remove } = await freshFolder()
  onTestFinished(remove)
  const database = await openDatabase({ databaseUrl: null, dataDir: env.DATA_DIR })
  onTestFinished(() => database.close())
  const changes = openChanges({ database, log: pino({ enabled: false }), counts: openMetrics().changes })
  onTestFinished(() => changes.close())
  const received: (Change | null)[] = []
  changes.follow(change => received.push(change))
  changes.start()
  await changes.read()
  const project = await database.db.project.create({ data: { slug: 'zoo', name: 'Zoo' } })
  await changes.read()
  received.length = 0

  await database.db.pet.create({ data: { projectId: project.id, name: 'Rex', categoryId: 1 } })

  expect(changes.isTrusted(1000)).toBe(true)
  await expect.poll(() => received.map(change => change && spell(change))).toEqual([`pets ${project.id} 1`])
})
