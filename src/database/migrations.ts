import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg'
import { StartRefused } from '../tools/start-refused.ts'
import type { Statements } from './statements.ts'

const folder = fileURLToPath(new URL('../../prisma/migrations', import.meta.url))

/** Tells the migration engine that it manages all tables and enums of the database. */
export const wholeSchema = { externalTables: [], externalEnums: [] }

/** A connection for migrations. `session` must be one connection from beginning to end. */
export type MigrationSession = {
  query(sql: string): Promise<unknown[]>
  factory: SqlMigrationAwareDriverAdapterFactory
}

export async function readMigrations(baseDir = folder): Promise<MigrationList> {
  const entries = await readdir(baseDir, { withFileTypes: true })
  const names = entries.filter(entry => entry.isDirectory()).map(entry => entry.name)
  const read = async (name: string) => {
    const value = await readFile(join(baseDir, name, 'migration.sql'), 'utf8')
    return { path: name, migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value } } }
  }
  return {
    baseDir,
    lockfile: {
      path: 'migration_lock.toml',
      content: await readFile(join(baseDir, 'migration_lock.toml'), 'utf8'),
    },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(names.sort().map(read)),
  }
}

/** Reads one small table, so that a start without new migrations does not load the engine. */
export async function isUpToDate(
  query: MigrationSession['query'],
  migrations: MigrationList,
): Promise<boolean> {
  const state = await compare(query, migrations)
  return state.pending.length === 0 && state.obstacle === null
}

/**
 * A migration that was begun but is not recorded as finished was not applied, as recordingFactory explains. Without
 * this statement, the engine would refuse to run the migration again.
 */
const forgetInterrupted =
  'delete from _prisma_migrations where finished_at is null and rolled_back_at is null'

/** Migrates the database to this version, or throws one sentence with the reason. The caller holds the lock. */
export async function applyMigrations(
  session: MigrationSession,
  migrations: MigrationList,
): Promise<string[]> {
  const { pending, obstacle, isInterrupted } = await compare(session.query, migrations)
  if (obstacle) throw new StartRefused(obstacle)
  if (pending.length === 0) return []
  if (isInterrupted) await session.query(forgetInterrupted)

  const { openSchemaEngine } = await import('./schema-engine.ts')
  const engine = await openSchemaEngine(session.factory)
  try {
    const done = await engine.applyMigrations({ migrationsList: migrations, filters: wholeSchema })
    return done.appliedMigrationNames
  } catch (error) {
    throw new StartRefused(`The database could not be migrated (${pending.join(', ')}): ${plain(error)}`, {
      cause: error,
    })
  } finally {
    engine.free()
  }
}

export type MigrationCounts = { applied: number; pending: number; newer: number }

/** Counts migrations by state. `newer`: applied by a later version of the service. */
export async function countMigrations({ run }: Statements): Promise<MigrationCounts> {
  const [local, rows] = await Promise.all([
    readMigrations(),
    run({ name: 'read_migrations', text: readApplied, values: [] }),
  ])
  const names = new Set(local.migrationDirectories.map(({ path }) => path))
  const newer = rows.filter(([name]) => !names.has(String(name))).length
  const applied = rows.length - newer
  return { applied, pending: names.size - applied, newer }
}

const readApplied =
  'select migration_name from _prisma_migrations where finished_at is not null and rolled_back_at is null'

type Row = { migration_name: string; checksum: string; finished: boolean }
type Comparison = { pending: string[]; obstacle: string | null; isInterrupted: boolean }

async function compare(query: MigrationSession['query'], migrations: MigrationList): Promise<Comparison> {
  const local = new Map(migrations.migrationDirectories.map(entry => [entry.path, checksum(entry)]))
  const table = await query(`select to_regclass('_prisma_migrations')::text as name`)
  const exists = (table as { name: string | null }[])[0]?.name != null
  const rows = exists
    ? ((await query(
        `select migration_name, checksum, finished_at is not null as finished
           from _prisma_migrations where rolled_back_at is null order by started_at`,
      )) as Row[])
    : []
  const additive = await readAdditive(query)
  const finished = rows.filter(row => row.finished)
  const applied = new Set(finished.map(row => row.migration_name))
  const obstacles = finished.map(row => obstacleOf(row, local, additive))
  return {
    pending: [...local.keys()].filter(name => !applied.has(name)),
    obstacle: obstacles.find(sentence => sentence !== null) ?? null,
    isInterrupted: finished.length < rows.length,
  }
}

/** Returns the migrations that newer versions have declared additive. Older versions have no such table. */
async function readAdditive(query: MigrationSession['query']): Promise<Set<string>> {
  const [found] = (await query(`select to_regclass('additive_migrations')::text as name`)) as {
    name: string | null
  }[]
  if (found?.name == null) return new Set()
  const rows = (await query('select name from additive_migrations')) as { name: string }[]
  return new Set(rows.map(({ name }) => name))
}

function obstacleOf(row: Row, local: Map<string, string | null>, additive: Set<string>): string | null {
  const name = `Migration ${row.migration_name}`
  if (!local.has(row.migration_name)) {
    if (additive.has(row.migration_name)) return null
    return `${name} was applied by a newer version of the service, and this version cannot run with it: start the newer version.`
  }
  if (local.get(row.migration_name) !== row.checksum) {
    return `${name} was changed after it had been applied to the database: restore its file and write a new migration instead.`
  }
  return null
}

function checksum({
  migrationFile: { content },
}: MigrationList['migrationDirectories'][number]): string | null {
  return content.tag === 'ok' ? createHash('sha256').update(content.value).digest('hex') : null
}

/** Returns the engine's error message without its position in the engine's source. */
function plain(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const [said = text] = text.split(/\n[^\S\n]*0: /)
  return said
    .replace(/^external connector error\s+(Error querying the database: )?/, '')
    .replace(/\s+/g, ' ')
    .trim()
}
