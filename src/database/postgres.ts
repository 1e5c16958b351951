import { setTimeout as pause } from 'node:timers/promises'
import { PrismaPg } from '@prisma/adapter-pg'
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg'
import pg from 'pg'
import { PrismaClient } from '../generated/prisma/client.ts'
import { StartRefused } from '../tools/start-refused.ts'
import type { Database } from './database.ts'
import { isDatabaseUnavailable } from './faults.ts'
import { migrationFactory } from './migration-factory.ts'
import { applyMigrations, isUpToDate, readMigrations } from './migrations.ts'
import type { Columns, Line, Statements } from './statements.ts'

/** Prisma's own, so that `prisma migrate deploy` elsewhere and a starting process wait for each other. */
const migrationLock = 72707369

const asWritten = { getTypeParser: () => (text: string) => text }

// Prisma writes and reads times without their zone.
const inUtc = '-c TimeZone=UTC'
/**
 * Short reads find what they want by an index, whatever they are asked for: planned anew each time, a list would take
 * PostgreSQL nearly twice as long. A plan that is made while a table is small has to be right when it has grown.
 */
const plannedOnce = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off'

const answerTimeoutMs = 1_900
const retryMs = 500

export async function openPostgres(databaseUrl: string, poolSize: number): Promise<Database> {
  const settings = {
    connectionString: databaseUrl,
    application_name: 'animal-store',
    options: `${inUtc} ${plannedOnce}`,
    // A database that hangs becomes a 503 within two seconds, the wait for a connection included.
    connectionTimeoutMillis: answerTimeoutMs,
    query_timeout: answerTimeoutMs,
    statement_timeout: answerTimeoutMs,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
  }
  // One connection of them reads the log of changes.
  const pool = openPool({ ...settings, max: Math.max(1, poolSize - 1), idleTimeoutMillis: 60_000 })
  const db = new PrismaClient({ adapter: new PrismaPg(pool, { statementNameGenerator: nameStatements() }) })
  const closing = new AbortController()
  let isMigrated = false

  const migrations = await readMigrations()
  const migrate = async () => {
    await migrateOnce(databaseUrl, pool, migrations)
    isMigrated = true
  }
  const close = async () => {
    closing.abort()
    await db.$disconnect()
    await pool.end()
  }

  let migrated = Promise.resolve()
  try {
    await Promise.all([migrate(), db.$connect()])
  } catch (error) {
    if (!isDatabaseUnavailable(error)) {
      await close()
      throw refusal(error)
    }
    migrated = keepTrying(migrate, closing.signal)
  }
  return {
    db,
    isEmbedded: false,
    lend: null,
    pool,
    run: runOver(pool),
    openLine: () => openLine(settings),
    migrated,
    async ping() {
      if (!isMigrated) throw new Error('The database has not been reached since the start.')
      await pool.query('select 1')
    },
    close,
  }
}

function runOver(connection: pg.Pool | pg.Client): Statements['run'] {
  return async ({ name, text, values }) => {
    const query = { name, text, values: [...values], rowMode: 'array' as const, types: asWritten }
    return (await connection.query<Columns>(query)).rows
  }
}

async function openLine(settings: pg.ClientConfig): Promise<Line> {
  const client = new pg.Client(settings)
  // Whoever asks next is told.
  client.on('error', () => {})
  await client.connect()
  return {
    run: runOver(client),
    async close() {
      await client.end()
    },
  }
}

/**
 * A connection that PostgreSQL ends would end the process if nobody listened, though whoever asks next is told or gets
 * another one. The pool listens for idle ones alone: between two that take turns on a connection nobody would.
 */
function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config)
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}

/** The service may start before its database: it is alive, not ready, and comes up with it. */
async function keepTrying(migrate: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(retryMs, undefined, { signal }).catch(() => {})
    try {
      return await migrate()
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw refusal(error)
    }
  }
}

async function migrateOnce(databaseUrl: string, pool: pg.Pool, migrations: MigrationList): Promise<void> {
  const rows = async (sql: string) => (await pool.query(sql)).rows
  if (await isUpToDate(rows, migrations)) return

  // One connection holds the lock and does the work; with its end the lock is free again, whatever happened.
  const session = openPool({
    connectionString: databaseUrl,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: answerTimeoutMs,
  })
  try {
    await session.query(`select pg_advisory_lock(${migrationLock})`)
    const query = async (sql: string) => (await session.query(sql)).rows
    const factory = migrationFactory(new PrismaPg(session), script => session.query(script))
    await applyMigrations({ query, factory }, migrations)
  } finally {
    await session.end()
  }
}

function refusal(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error
  return new StartRefused(`PostgreSQL refused at the start: ${error.message}.`, { cause: error })
}

/**
 * A named statement is parsed and planned once for each connection, which doubles the lists served in a second.
 * The names have an end because lists of ids of every length are statements of their own; '' is no name.
 */
function nameStatements(): (query: { sql: string }) => string {
  const names = new Map<string, string>()
  return ({ sql }) => {
    if (!names.has(sql) && names.size < 500) names.set(sql, `store_${names.size}`)
    return names.get(sql) ?? ''
  }
}
