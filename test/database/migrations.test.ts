import { readFileSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { expect, onTestFinished, test } from 'vitest'
import { missingMigration } from '../../prisma/missing-migration.ts'
import { openDatabase } from '../../src/database/database.ts'
import { migrationFactory } from '../../src/database/migration-factory.ts'
import { applyMigrations, readMigrations } from '../../src/database/migrations.ts'
import { StartRefused } from '../../src/tools/start-refused.ts'
import { startDatabaseProcess } from '../support/database-processes.ts'
import { administer, emptyDatabase, freshDatabase } from '../support/databases.ts'
import { findProgram } from '../support/programs.ts'

const withPostgres = test.skipIf(!findProgram('postgres'))
// Making a database in memory takes seconds, and on a busy machine many.
const slow = { timeout: 60_000 }
const schema = readFileSync(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8')

async function postgresConfig(make: typeof freshDatabase) {
  const { env, remove } = await make()
  onTestFinished(remove)
  return { databaseUrl: env.DATABASE_URL ?? '', dataDir: '', databasePoolSize: 2 }
}

async function rowsOf(databaseUrl: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query(sql)
  await client.end()
  return rows
}

test('the migrations make the tables that schema.prisma describes', slow, async () => {
  expect(await missingMigration(schema)).toBeNull()
})

test('a change of schema.prisma that no migration makes is noticed', slow, async () => {
  const changed = schema.replace(/slug +String +@unique/, '$&\n  colour String?')

  expect(await missingMigration(changed)).toContain('ALTER TABLE "projects" ADD COLUMN     "colour" TEXT')
})

withPostgres('five processes that start at once migrate the database once', async () => {
  const config = await postgresConfig(emptyDatabase)
  const processes = await Promise.all(Array.from({ length: 5 }, () => startDatabaseProcess(config)))
  onTestFinished(() => Promise.all(processes.map(started => started.kill9())).then(() => {}))

  const openings = await Promise.all(processes.map(started => started.open()))

  expect(openings.map(opening => opening.opened)).toEqual([true, true, true, true, true])
  const recorded = await rowsOf(
    config.databaseUrl,
    'select migration_name from _prisma_migrations order by 1',
  )
  const { migrationDirectories } = await readMigrations()
  expect(recorded).toEqual(migrationDirectories.map(({ path }) => ({ migration_name: path })))
  expect(await rowsOf(config.databaseUrl, 'select name from plans')).toHaveLength(4)
})

withPostgres('a start with nothing to migrate does not load the migration engine', async () => {
  const [empty, migrated] = [await postgresConfig(emptyDatabase), await postgresConfig(freshDatabase)]
  const [first, later] = await Promise.all([startDatabaseProcess(empty), startDatabaseProcess(migrated)])
  onTestFinished(() => Promise.all([first.kill9(), later.kill9()]).then(() => {}))

  expect(await first.open()).toEqual({ opened: true, loadsEngine: true })
  expect(await later.open()).toEqual({ opened: true, loadsEngine: false })
})

withPostgres('a process that starts while another one migrates waits for it', async () => {
  const config = await postgresConfig(freshDatabase)
  const other = new pg.Client({ connectionString: config.databaseUrl })
  await other.connect()
  await other.query('select pg_advisory_lock(72707369)')
  await other.query('update _prisma_migrations set finished_at = null')

  const start = openDatabase(config)
  // Tests that run beside this one wait for locks in databases of their own.
  const waiting = async () =>
    (
      await other.query(`select 1 from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database() and not granted`)
    ).rowCount
  await expect.poll(waiting).toBe(1)
  await other.query('update _prisma_migrations set finished_at = now()')
  await other.end()

  const { db, close } = await start
  onTestFinished(close)
  expect(await db.plan.count()).toBe(4)
})

withPostgres('a migration that failed half-way stops the start', async () => {
  const config = await postgresConfig(freshDatabase)
  await administer(config.databaseUrl, 'update _prisma_migrations set finished_at = null')

  const start = openDatabase(config)

  await expect(start).rejects.toThrow(/^Migration \d+_init failed half-way: .*prisma migrate resolve/)
  await expect(start).rejects.toBeInstanceOf(StartRefused)
})

withPostgres('an older version of the service does not start on the tables of a newer one', async () => {
  const config = await postgresConfig(freshDatabase)
  await administer(
    config.databaseUrl,
    `insert into _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
     values ('1', '', now(), '20991231000000_later', 1)`,
  )

  await expect(openDatabase(config)).rejects.toThrow(
    /^Migration 20991231000000_later is in the database but not in/,
  )
})

withPostgres('a migration that was edited after it was applied stops the start', async () => {
  const config = await postgresConfig(freshDatabase)
  await administer(config.databaseUrl, `update _prisma_migrations set checksum = 'other'`)

  await expect(openDatabase(config)).rejects.toThrow(/^Migration \d+_init was changed after/)
})

withPostgres('a database that lets nobody in stops the start with what PostgreSQL says', async () => {
  const { databaseUrl } = await postgresConfig(freshDatabase)
  const absent = new URL(databaseUrl)
  absent.pathname = 'absent'

  const start = openDatabase({ databaseUrl: absent.href, dataDir: '' })

  await expect(start).rejects.toThrow('database "absent" does not exist')
  await expect(start).rejects.toBeInstanceOf(StartRefused)
})

test(
  'a migration with a mistake is named with the database’s own words, and is not passed over later',
  slow,
  async () => {
    const client = await PGlite.create('memory://')
    onTestFinished(() => client.close())
    const session = {
      query: async (sql: string) => (await client.query(sql)).rows,
      factory: migrationFactory(new PrismaPGlite(client), script => client.exec(script)),
    }
    const content = {
      tag: 'ok' as const,
      value: 'create table good (id int); create table bad (id nonsense);',
    }
    const mistake = { path: '20260101000000_mistake', migrationFile: { path: 'migration.sql', content } }
    const migrations = { ...(await readMigrations()), migrationDirectories: [mistake] }

    await expect(applyMigrations(session, migrations)).rejects.toThrow(
      /20260101000000_mistake.*type "nonsense" does not exist/,
    )
    await expect(applyMigrations(session, migrations)).rejects.toThrow(
      '20260101000000_mistake failed half-way',
    )
  },
)
