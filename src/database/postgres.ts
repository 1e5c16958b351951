import { setTimeout as pause } from 'node:timers/promises'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient } from '../generated/prisma/client.ts'
import { StartRefused } from '../tools/start-refused.ts'
import { clientsOf } from './clients.ts'
import { openLine, runOver, settings } from './connections.ts'
import type { Database } from './database.ts'
import { migrateOnce } from './migrate-postgres.ts'
import { readMigrations } from './migrations.ts'
import { cannotServe, type Outage, openOutage } from './outage.ts'
import { detectWay, refusalOfPooler, type Way } from './pooler.ts'
import { SharedPool } from './shared-pool.ts'
import { nameStatements } from './statement-names.ts'

const retryMs = 500

type Options = {
  databaseUrl: string
  directUrl: string | null
  poolSize: number
  /** Reads a secret from its file again. */
  readAgain: (name: string) => string | null
  /** How long the start waits for the database. */
  waitMs?: number
}

export async function openPostgres({
  databaseUrl,
  directUrl,
  poolSize,
  readAgain,
  waitMs = Number.POSITIVE_INFINITY,
}: Options): Promise<Database> {
  const Client = clientsOf(databaseUrl, () => readAgain('DATABASE_URL'))
  // One connection is reserved for the log of changes.
  const pool = new SharedPool({
    ...settings,
    Client,
    max: Math.max(1, poolSize - 1),
    idleTimeoutMillis: 60_000,
  })
  const statements = nameStatements()
  const db = new PrismaClient({ adapter: new PrismaPg(pool, { statementNameGenerator: statements.nameOf }) })
  const closing = new AbortController()
  const outage = openOutage(statements.nameAgain)
  let isMigrated = false

  const migrations = await readMigrations()
  const migrate = async () => {
    await requireUtf8(pool)
    const way = await detectWay(pool, Client)
    await migrateOnce(pool, migrations, directly(way))
    isMigrated = true
  }
  const DirectClient =
    directUrl === null ? null : clientsOf(directUrl, () => readAgain('DATABASE_DIRECT_URL'))
  const directly = (way: Way) => DirectClient ?? (way === 'pooled by transaction' ? null : Client)
  const close = async () => {
    closing.abort()
    await db.$disconnect()
    await pool.end()
  }

  let migrated = Promise.resolve()
  try {
    await Promise.all([migrate(), db.$connect()])
  } catch (error) {
    const refusal = refusalOf(error, outage)
    if (refusal !== null) {
      await close()
      throw refusal
    }
    migrated = keepTrying(migrate, outage, closing.signal, waitMs)
  }
  return {
    db,
    isEmbedded: false,
    lend: null,
    pool,
    run: runOver(pool),
    writes: () => null,
    openLine: () => openLine(Client),
    migrated,
    outage,
    rereadAddress: name => (name === 'DATABASE_URL' ? Client : DirectClient)?.renew() ?? false,
    async ping() {
      if (!isMigrated) throw new Error('The database has not been reached since the start.')
      await pool.query('select 1')
    },
    close,
  }
}

/**
 * Retries until the database is reachable. The service may start before its database; it is alive but not ready until
 * then. Gives up only after a failed attempt, so that no migration is cut off.
 */
async function keepTrying(
  migrate: () => Promise<void>,
  outage: Outage,
  signal: AbortSignal,
  waitMs: number,
): Promise<void> {
  const giveUpAt = performance.now() + waitMs
  for (;;) {
    await pause(retryMs, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    try {
      return await migrate()
    } catch (error) {
      const refusal = refusalOf(error, outage)
      if (refusal !== null) throw refusal
      if (performance.now() >= giveUpAt) throw cannotServe(error)
    }
  }
}

/** In another encoding PostgreSQL refuses some names of pets, and lacks the collation that searches use. */
async function requireUtf8(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ encoding: string }>(
    `select current_setting('server_encoding') as encoding`,
  )
  const encoding = rows[0]?.encoding
  if (encoding !== 'UTF8')
    throw new StartRefused(
      `The database has the encoding ${encoding}, but the store needs UTF8: create a new database with createdb -E UTF8 -T template0 --locale=C.`,
    )
}

/** Returns why the service cannot start; null if it only has to wait for the database. */
function refusalOf(error: unknown, outage: Outage): unknown {
  const ofPooler = refusalOfPooler(error)
  if (ofPooler) return ofPooler
  // At the start, an unknown database name and a missing right are mistakes of the configuration. Later they count as
  // outages.
  const isMistake = error instanceof pg.DatabaseError && ['3D000', '42501'].includes(error.code ?? '')
  if (!isMistake && outage.note(error)) return null
  if (!(error instanceof pg.DatabaseError)) return error
  return new StartRefused(`PostgreSQL returned an error at the start: ${error.message}.`, { cause: error })
}
