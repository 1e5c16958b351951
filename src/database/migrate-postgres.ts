import { PrismaPg } from '@prisma/adapter-pg'
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg'
import type pg from 'pg'
import { StartRefused } from '../tools/start-refused.ts'
import { answerTimeoutMs, openPool } from './connections.ts'
import { recordingFactory } from './migration-factory.ts'
import { applyMigrations, isUpToDate } from './migrations.ts'

/**
 * `prisma migrate deploy` takes the lock with this number too. So a starting process waits while `prisma migrate
 * deploy` migrates, and `prisma migrate deploy` waits while a starting process migrates.
 */
const migrationLock = 72707369

/**
 * No timeouts, because those of the role are meant for requests, and too short for a large table or while a backup locks
 * the tables. The tables are created in public; the rest of the path stays, because extensions may be in another schema.
 */
const migrationSettings = `
  set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
  set datestyle = ISO; set standard_conforming_strings = on;
  select set_config('search_path', 'public, ' || replace(current_setting('search_path'), '"$user"', 'public'), false)`

const needsSession =
  'There are migrations to apply, and the pooler of DATABASE_URL may run each transaction on another connection: set DATABASE_DIRECT_URL to the address of PostgreSQL itself.'

/** Migrates once: if several processes start together, one of them migrates and the others wait for it. */
export async function migrateOnce(
  pool: pg.Pool,
  migrations: MigrationList,
  Client: typeof pg.Client | null,
): Promise<void> {
  const rows = async (sql: string) => (await pool.query(sql)).rows
  if (await isUpToDate(rows, migrations)) return
  if (Client === null) throw new StartRefused(needsSession)

  // Use one connection for the lock and the work, so that closing it always releases the lock.
  const session = openPool({
    Client,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: answerTimeoutMs,
  })
  try {
    await session.query(migrationSettings)
    await session.query(`select pg_advisory_lock(${migrationLock})`)
    const query = async (sql: string) => (await session.query(sql)).rows
    const factory = recordingFactory(new PrismaPg(session), script => session.query(script))
    await applyMigrations({ query, factory }, migrations)
  } finally {
    await session.end()
  }
}
