import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { openEmbeddedDatabase } from '../../src/database/embedded.ts'
import { makeSnapshot } from '../../src/database/make-snapshot.ts'
import { readMigrations } from '../../src/database/migrations.ts'
import { findSnapshot } from '../../src/database/snapshot.ts'

// Creating a database takes seconds, and longer on a busy machine.
const slow = 120_000
const folders: string[] = []
const makeFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-snapshot-test-'))
  folders.push(folder)
  return folder
}
const snapshots = makeFolder()

beforeAll(() => makeSnapshot(snapshots), slow)
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

async function open(snapshotFolder: string): Promise<Database> {
  const database = await openEmbeddedDatabase(makeFolder(), snapshotFolder)
  onTestFinished(() => database.close())
  return database
}

/**
 * These ids differ between databases that ran the migrations themselves, and are equal in databases copied from one
 * snapshot.
 */
async function idsOfMigrations({ run }: Database) {
  return run({ name: 'ids', text: 'select id from _prisma_migrations order by 1', values: [] })
}

/** Everything in a schema, and each row that migrations write. */
const contents = {
  columns: `select table_name, column_name, column_default, is_nullable, data_type, udt_name, collation_name
    from information_schema.columns where table_schema = 'public' order by 1, 2`,
  constraints: `select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
    where connamespace = 'public'::regnamespace order by 1, 2`,
  indexes: `select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`,
  triggers: `select tgrelid::regclass::text, tgname, tgenabled::text, pg_get_triggerdef(oid) from pg_trigger
    where not tgisinternal order by 1, 2`,
  functions: `select proname, prosrc, provolatile::text, prosecdef::text, proconfig::text from pg_proc
    where pronamespace = 'public'::regnamespace order by 1, 2`,
  enums: `select enumtypid::regtype::text, enumlabel from pg_enum order by 1, enumsortorder`,
  sequences: `select sequencename, last_value::text, increment_by::text from pg_sequences order by 1`,
  relations: `select relname, relkind::text, relpersistence::text, relacl::text, reloptions::text from pg_class
    where relnamespace = 'public'::regnamespace order by 1`,
  extensions: `select extname, extversion from pg_extension order by 1`,
  settings: `select datname, datcollate, encoding::text from pg_database order by 1`,
  plans: `select * from plans order by 1`,
  additive: `select * from additive_migrations order by 1`,
  migrations: `select migration_name, checksum, (finished_at is not null)::text, rolled_back_at::text,
    applied_steps_count::text from _prisma_migrations order by 1`,
}

test('an embedded database that is loaded from a snapshot has the tables and rows of a database that ran the migrations', {
  timeout: slow,
}, async () => {
  const [loaded, migrated] = [await open(snapshots), await open(makeFolder())]

  for (const [name, text] of Object.entries(contents)) {
    const rows = await migrated.run({ name, text, values: [] })
    expect([name, await loaded.run({ name, text, values: [] })]).toEqual([name, rows])
  }
  expect(await idsOfMigrations(loaded)).not.toEqual(await idsOfMigrations(migrated))
  expect(await loaded.db.pet.count()).toBe(0)
})

test('databases that are opened with a snapshot load the snapshot instead of running the migrations', {
  timeout: slow,
}, async () => {
  const [first, second] = [await open(snapshots), await open(snapshots)]

  expect(await idsOfMigrations(first)).toEqual(await idsOfMigrations(second))
})

test('a damaged snapshot is ignored, and the migrations run', { timeout: slow }, async () => {
  const [name = ''] = readdirSync(snapshots)
  const whole = readFileSync(join(snapshots, name))
  for (const damage of [
    (file: string) => truncateSync(file, whole.length >> 1),
    (file: string) => writeFileSync(file, 'no snapshot'),
  ]) {
    const damaged = makeFolder()
    writeFileSync(join(damaged, name), whole)
    damage(join(damaged, name))

    const { db } = await open(damaged)

    expect(await db.plan.count()).toBe(4)
  }
})

test('a snapshot of the database is not used if the snapshot was made from other migrations', async () => {
  const migrations = await readMigrations()
  const [first, ...others] = migrations.migrationDirectories
  const changed = first && {
    ...first,
    migrationFile: { ...first.migrationFile, content: { tag: 'ok' as const, value: 'SELECT 1;' } },
  }

  expect(findSnapshot(migrations, snapshots)).not.toBeNull()
  expect(findSnapshot({ ...migrations, migrationDirectories: others }, snapshots)).toBeNull()
  expect(
    findSnapshot({ ...migrations, migrationDirectories: changed ? [changed, ...others] : [] }, snapshots),
  ).toBeNull()
})
