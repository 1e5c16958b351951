import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { expect, onTestFinished, test } from 'vitest'
import { declarationOf, whyNotAdditive } from '../../prisma/additive.ts'
import { missingMigration } from '../../prisma/missing-migration.ts'
import { scopes } from '../../src/core/keys/scopes.ts'
import { clientsOf } from '../../src/database/clients.ts'
import { migrateOnce } from '../../src/database/migrate-postgres.ts'
import { recordingFactory } from '../../src/database/migration-factory.ts'
import { applyMigrations, countMigrations, readMigrations } from '../../src/database/migrations.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { StartRefused } from '../../src/tools/start-refused.ts'
import { startDatabaseProcess } from '../support/database-processes.ts'
import { administer, emptyDatabase, freshDatabase, testPool } from '../support/databases.ts'
import { startHoldingProxy } from '../support/holding-proxy.ts'
import { findProgram, freePort } from '../support/programs.ts'

const withPostgres = test.skipIf(!findProgram('postgres'))
// Creating a database in memory takes seconds, and longer on a busy machine.
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

test('the migrations create the tables that schema.prisma describes', slow, async () => {
  expect(await missingMigration(schema)).toBeNull()
})

test('the check finds a change of schema.prisma without a migration', slow, async () => {
  const changed = schema.replace(/slug +String +@unique/, '$&\n  colour String?')

  expect(await missingMigration(changed)).toContain('ALTER TABLE "projects" ADD COLUMN     "colour" TEXT')
})

withPostgres(
  'the migrations create the tables in the schema public, and find extensions in other schemas of the search path',
  async () => {
    const config = await postgresConfig(emptyDatabase)
    const name = new URL(config.databaseUrl).pathname.slice(1)
    for (const sql of [
      'CREATE SCHEMA postgres; CREATE SCHEMA extensions',
      'CREATE EXTENSION pg_trgm SCHEMA extensions; CREATE EXTENSION btree_gin SCHEMA extensions',
      `ALTER DATABASE ${name} SET search_path = "$user", public, extensions`,
    ])
      await administer(config.databaseUrl, sql)

    const database = await openDatabase(config)
    onTestFinished(() => database.close())
    await database.migrated

    expect(
      await rowsOf(
        config.databaseUrl,
        `SELECT schemaname FROM pg_tables WHERE tablename IN ('pets', '_prisma_migrations') ORDER BY tablename`,
      ),
    ).toEqual([{ schemaname: 'public' }, { schemaname: 'public' }])
    expect(
      await rowsOf(config.databaseUrl, `SELECT to_regclass('pets_name_search_idx') IS NOT NULL AS found`),
    ).toEqual([{ found: true }])
  },
)

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
  // Count only locks in the database of this test: other tests wait for locks in other databases.
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

withPostgres(
  'a start that is killed during any migration does not stop the next start',
  async () => {
    const { databaseUrl } = await postgresConfig(emptyDatabase)
    const pool = testPool({ connectionString: databaseUrl, max: 1 })
    const { migrationDirectories } = await readMigrations()
    const recorded = async () => {
      const { rows } = await pool.query<{ name: string | null }>(
        `select to_regclass('_prisma_migrations')::text as name`,
      )
      if (rows[0]?.name == null) return 0
      return (await pool.query('select 1 from _prisma_migrations')).rowCount ?? 0
    }

    for (let killed = 1; killed < migrationDirectories.length; killed += 6) {
      const started = await startDatabaseProcess({ databaseUrl, dataDir: '', databasePoolSize: 2 })
      const ended = started.open().catch(() => {})
      await expect.poll(recorded, { interval: 1, timeout: 30_000 }).toBeGreaterThanOrEqual(killed)
      await started.kill9()
      await ended
    }
    const { db, close } = await openDatabase({ databaseUrl, dataDir: '', databasePoolSize: 2 })
    onTestFinished(close)

    expect(await db.plan.count()).toBe(4)
    const { rows } = await pool.query(
      'select migration_name as path from _prisma_migrations where finished_at is not null order by 1',
    )
    expect(rows).toEqual(migrationDirectories.map(({ path }) => ({ path })))
  },
  120_000,
)

const newest = '20991231000000_newest'
const withNewest = async (value: string) => {
  const all = await readMigrations()
  const migration = {
    path: newest,
    migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value } },
  }
  return { ...all, migrationDirectories: [...all.migrationDirectories, migration] }
}

withPostgres(
  'a migration is recorded even if the process loses its connection right after the migration',
  async () => {
    const { databaseUrl } = await postgresConfig(freshDatabase)
    const pool = testPool({ connectionString: databaseUrl, max: 1 })
    const migrations = await withNewest('create table newest (id int)')
    const query = async (sql: string) => (await pool.query(sql)).rows
    const factory = recordingFactory(new PrismaPg(pool), async script => {
      await pool.query(script)
      await query('alter table _prisma_migrations rename to away')
      throw new Error('Connection terminated unexpectedly')
    })
    await expect(applyMigrations({ query, factory }, migrations)).rejects.toThrow(StartRefused)
    await query('alter table away rename to _prisma_migrations')

    await migrateOnce(pool, migrations, clientsOf(databaseUrl))

    expect(await query('select * from newest')).toEqual([])
  },
)

withPostgres('an older version starts if a newer version was killed during a migration', async () => {
  const config = await postgresConfig(freshDatabase)
  await administer(
    config.databaseUrl,
    `insert into _prisma_migrations (id, checksum, migration_name) values ('killed', '', '${newest}')`,
  )

  const { db, close } = await openDatabase(config)
  onTestFinished(close)

  expect(await db.plan.count()).toBe(4)
})

withPostgres('a migration waits for a locked table longer than the database allows for a lock', async () => {
  const { databaseUrl } = await postgresConfig(freshDatabase)
  const pool = testPool({ connectionString: databaseUrl, max: 3 })
  await pool.query(`alter database "${new URL(databaseUrl).pathname.slice(1)}" set lock_timeout = '100ms'`)
  const backup = await pool.connect()
  await backup.query('begin; lock table pets in access share mode')

  const migrated = migrateOnce(
    pool,
    await withNewest('alter table pets add column newest int'),
    clientsOf(databaseUrl),
  )
  const waiting = async () =>
    (
      await pool.query(`select 1 from pg_stat_activity where wait_event_type = 'Lock'
        and datname = current_database() and clock_timestamp() - query_start > interval '300 ms'`)
    ).rowCount
  await expect.poll(waiting, { timeout: 20_000 }).toBe(1)
  await backup.query('commit')
  backup.release()

  await migrated
  expect((await pool.query('select newest from pets limit 0')).rows).toEqual([])
})

withPostgres('a migration that was rolled back and then applied does not stop the start', async () => {
  const config = await postgresConfig(freshDatabase)
  await administer(
    config.databaseUrl,
    `insert into _prisma_migrations (id, checksum, started_at, rolled_back_at, migration_name, applied_steps_count)
     select 'first ' || left(id, 30), checksum, started_at - interval '1 day', now(), migration_name, 0
     from _prisma_migrations`,
  )

  const { db, close } = await openDatabase(config)
  onTestFinished(close)

  expect(await db.plan.count()).toBe(4)
})

withPostgres('the metrics count the applied, pending and newer migrations', async () => {
  const config = await postgresConfig(freshDatabase)
  const { run, close } = await openDatabase(config)
  onTestFinished(close)
  const all = (await readMigrations()).migrationDirectories.length
  const row = (values: string) =>
    administer(
      config.databaseUrl,
      `insert into _prisma_migrations (id, checksum, migration_name, applied_steps_count, finished_at, rolled_back_at)
       values (${values})`,
    )
  expect(await countMigrations({ run })).toEqual({ applied: all, pending: 0, newer: 0 })

  await row(`'later', '', '20991231000000_later', 1, now(), null`)
  await row(`'half-way', '', '20991231000001_half_way', 0, null, null`)
  await row(`'taken back', '', '20991231000002_taken_back', 0, null, now()`)
  await administer(
    config.databaseUrl,
    `update _prisma_migrations set finished_at = null where migration_name like '%_init'`,
  )

  expect(await countMigrations({ run })).toEqual({ applied: all - 1, pending: 1, newer: 1 })
})

withPostgres('a migration may take longer than the database allows for a query', async () => {
  const { databaseUrl } = await postgresConfig(freshDatabase)
  const pool = testPool({ connectionString: databaseUrl, max: 1 })
  await pool.query(
    `alter database "${new URL(databaseUrl).pathname.slice(1)}" set statement_timeout = '300ms'`,
  )
  const migrations = await withNewest('select pg_sleep(0.6); create table slow (id int);')

  await migrateOnce(pool, migrations, clientsOf(databaseUrl))

  expect((await pool.query('select * from slow')).rows).toEqual([])
})

test('if the service closes while PostgreSQL cannot be reached, the service stops trying to run the migrations', async () => {
  const databaseUrl = `postgresql://postgres@127.0.0.1:${await freePort()}/x`
  const { migrated, close } = await openDatabase({ databaseUrl, dataDir: '' })

  await close()

  await expect(migrated).resolves.toBeUndefined()
})

withPostgres('an older version of the service does not start on the tables of a newer one', async () => {
  const config = await postgresConfig(freshDatabase)
  await administer(
    config.databaseUrl,
    `insert into _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
     values ('1', '', now(), '20991231000000_later', 1)`,
  )

  await expect(openDatabase(config)).rejects.toThrow(
    /^Migration 20991231000000_later was applied by a newer version of the service,/,
  )
})

withPostgres('an older version runs with newer migrations that are declared additive', async () => {
  const config = await postgresConfig(freshDatabase)
  const newer = async (name: string, isAdditive: boolean) =>
    administer(
      config.databaseUrl,
      `insert into _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
       values ('${name}', '', now(), '${name}', 1);
       ${isAdditive ? declarationOf(name) : ''}`,
    )
  await newer('20991231000000_adds', true)
  await newer('20991231000001_adds_more', true)

  const { db, close } = await openDatabase(config)
  const plans = await db.plan.count()
  await close()

  expect(plans).toBe(4)

  await newer('20991231000002_drops', false)

  await expect(openDatabase(config)).rejects.toThrow(
    /^Migration 20991231000002_drops was applied by a newer version of the service,/,
  )
})

test('every migration that is declared additive is additive, and declares its own name', async () => {
  const { migrationDirectories } = await readMigrations()
  for (const { path, migrationFile } of migrationDirectories) {
    const sql = migrationFile.content.tag === 'ok' ? migrationFile.content.value : ''
    if (!/INTO "?additive_migrations/i.test(sql)) continue

    expect(sql, path).toContain(declarationOf(path))
    expect(whyNotAdditive(sql), path).toBeNull()
  }
  expect(migrationDirectories.map(({ path }) => path)).toContain('20261123073700_additive_migrations')
})

test.each([
  ['ALTER TABLE "pets" DROP COLUMN "name";', 'drops'],
  ['DROP INDEX "pets_id_idx";', 'drops'],
  ['ALTER TABLE "pets" RENAME COLUMN "name" TO "title";', 'renames'],
  [
    'ALTER TABLE "pets" ADD COLUMN "a" TEXT, ADD COLUMN "b" NUMERIC(3,1) NOT NULL;',
    'adds what others do not fill',
  ],
  ['ALTER TABLE "pets" ALTER COLUMN "name" SET NOT NULL;', 'asks for what others leave out'],
  ['ALTER TABLE "pets" ALTER COLUMN "name" SET DATA TYPE INTEGER;', 'changes a type'],
  ['CREATE UNIQUE INDEX "i" ON "pets"("name");', 'forbids what others may do'],
  ['ALTER TABLE "pets" ADD CONSTRAINT "c" CHECK (id > 0);', 'forbids what others may do'],
  ['/* DROP */ truncate "pets";', 'removes rows'],
  [`ALTER TABLE "pets" ADD COLUMN "a" TEXT NOT NULL DEFAULT 'a;b', ADD COLUMN "b" INTEGER;`, null],
  ['CREATE TABLE "t" ("id" INTEGER NOT NULL); CREATE UNIQUE INDEX "i" ON "t"("id");', null],
  [
    'CREATE TABLE "t" ("id" INTEGER NOT NULL); ALTER TABLE "t" ADD CONSTRAINT "f" FOREIGN KEY ("id") REFERENCES "p"("id") ON DELETE RESTRICT;',
    null,
  ],
  [
    'CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM t; DROP TABLE t; END $$; -- DROP',
    null,
  ],
  ['CREATE INDEX "i" ON "pets"("name");', null],
])('the statements of a migration show whether it is additive: %s', (sql, reason) => {
  const judged = whyNotAdditive(sql)

  expect(judged?.split(':')[0] ?? null).toBe(reason)
})

withPostgres('animal-store migrate brings a database to this version, or says why it cannot', async () => {
  const config = await postgresConfig(emptyDatabase)
  const command = fileURLToPath(new URL('../../src/cli/bin.js', import.meta.url))
  const migrate = (databaseUrl: string) =>
    promisify(execFile)(process.execPath, [command, 'migrate'], {
      env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
    })

  expect((await migrate(config.databaseUrl)).stdout).toBe('The database is at this version.\n')
  expect((await migrate(config.databaseUrl)).stdout).toBe('The database is at this version.\n')

  expect(await rowsOf(config.databaseUrl, 'select name from plans')).toHaveLength(4)
  const away = `postgresql://postgres@127.0.0.1:${await freePort()}/x`
  await expect(migrate(away)).rejects.toMatchObject({
    code: 1,
    stderr: 'The database cannot serve: the connection is refused.\n',
  })
  await expect(migrate(config.databaseUrl.replace(/[^/]+$/, 'absent'))).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^PostgreSQL returned an error at the start: database "absent" does not exist\.\n$/,
    ),
  })
})

withPostgres('a database that is closed while it waits for PostgreSQL tries no more', async () => {
  const { databaseUrl } = await postgresConfig(emptyDatabase)
  const address = new URL(databaseUrl)
  const proxy = await startHoldingProxy(await freePort())
  onTestFinished(proxy.stop)
  const database = await openDatabase({
    databaseUrl: databaseUrl.replace(address.host, `127.0.0.1:${proxy.port}`),
    dataDir: '',
  })
  proxy.turnTo(Number(address.port))
  await database.close()

  await database.migrated
})

withPostgres('a migration that was edited after it was applied stops the start', async () => {
  const config = await postgresConfig(freshDatabase)
  await administer(config.databaseUrl, `update _prisma_migrations set checksum = 'other'`)

  await expect(openDatabase(config)).rejects.toThrow(/^Migration \d+_init was changed after/)
})

withPostgres(
  'a database that accepts no connection stops the start with the words of PostgreSQL',
  async () => {
    const { databaseUrl } = await postgresConfig(freshDatabase)
    const absent = new URL(databaseUrl)
    absent.pathname = 'absent'

    const start = openDatabase({ databaseUrl: absent.href, dataDir: '' })

    await expect(start).rejects.toThrow('database "absent" does not exist')
    await expect(start).rejects.toBeInstanceOf(StartRefused)
  },
)

test(
  'a failed migration is reported in the database’s own words, and is not skipped later',
  slow,
  async () => {
    const client = await PGlite.create('memory://')
    onTestFinished(() => client.close())
    const session = {
      query: async (sql: string) => (await client.query(sql)).rows,
      factory: recordingFactory(new PrismaPGlite(client), script => client.exec(script)),
    }
    const content = {
      tag: 'ok' as const,
      value: 'create table good (id int); create table bad (id nonsense);',
    }
    const mistake = { path: '20260101000000_mistake', migrationFile: { path: 'migration.sql', content } }
    const migrations = { ...(await readMigrations()), migrationDirectories: [mistake] }

    const failed = await applyMigrations(session, migrations).catch(error => error)
    expect(failed).toBeInstanceOf(StartRefused)
    expect(failed.message).toBe(
      'The database could not be migrated (20260101000000_mistake): ERROR: type "nonsense" does not exist',
    )
    const again = await applyMigrations(session, migrations).catch(error => error)
    expect(again.message).toBe(failed.message)
  },
)

withPostgres('after the migration, only keys with all permissions can sell by orders', async () => {
  const { databaseUrl } = await postgresConfig(emptyDatabase)
  const pool = testPool({ connectionString: databaseUrl, max: 1 })
  const all = await readMigrations()
  const before = all.migrationDirectories.filter(({ path }) => path < '20261123071500')
  await migrateOnce(pool, { ...all, migrationDirectories: before }, clientsOf(databaseUrl))
  const keys = {
    owner: '{pets:read,pets:write,project:read,project:write}',
    turned: '{project:write,project:read,pets:write,pets:read}',
    shop: '{pets:read,pets:write}',
    office: '{pets:read,project:read,project:write}',
  }
  await pool.query(`INSERT INTO projects (slug, name) VALUES ('zoo', 'Zoo')`)
  for (const [name, scopes] of Object.entries(keys)) {
    await pool.query(
      `INSERT INTO api_keys (id, project_id, name, prefix, hash, scopes)
       VALUES (gen_random_uuid(), 1, $1, 'as_', sha256($1::text::bytea), $2)`,
      [name, scopes],
    )
  }

  await migrateOnce(pool, all, clientsOf(databaseUrl))

  const { rows } = await pool.query('SELECT name, scopes FROM api_keys')
  const after = Object.fromEntries(rows.map(({ name, scopes }) => [name, scopes.toSorted()]))
  const everything = scopes.filter(scope => !['events:read', 'webhooks:write'].includes(scope)).toSorted()
  expect(after).toEqual({
    owner: everything,
    turned: everything,
    shop: ['pets:read', 'pets:write'],
    office: ['pets:read', 'project:read', 'project:write'],
  })
})
