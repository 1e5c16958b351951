import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { StartRefused } from '../tools/start-refused.ts'
import { marker, settings, wantedSettings } from './connections.ts'

/** How we reach PostgreSQL: directly, or through a pooler, whose server connection may change with each transaction. */
export type Way = 'direct' | 'pooled by session' | 'pooled by transaction'

/**
 * Detects a pooler and checks its settings: it may drop the settings of new connections, and may share a connection
 * after every transaction. Throws one sentence that names the missing setting, because the service would not work
 * correctly.
 */
export async function detectWay(pool: pg.Pool, Client: typeof pg.Client): Promise<Way> {
  const { rows } = await pool.query<{ marked: string | null; role: string }>(
    'select current_setting($1, true) as marked, quote_ident(current_user) as role',
    [marker],
  )
  if (rows[0]?.marked === 'yes') return 'direct'
  const missing = await missingSettings(pool)
  if (missing.length > 0) {
    const statements = missing.map(setting => `ALTER ROLE ${rows[0]?.role} SET ${setting};`)
    throw new StartRefused(`${dropped} ${statements.join(' ')} ${reconnect}`)
  }
  return findMode(Client)
}

const dropped =
  'The pooler in front of PostgreSQL drops the settings that connections are opened with. Give them to the role instead:'
const reconnect = 'Then make the pooler open new connections, in PgBouncer with RECONNECT.'

async function missingSettings(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    'select lower(name) as name, setting from pg_settings where lower(name) = any ($1)',
    [wantedSettings.map(({ name }) => name)],
  )
  const actual = new Map(rows.map(({ name, setting }) => [name, setting]))
  return wantedSettings
    .filter(({ name, isFit }) => !isFit(actual.get(name) ?? ''))
    .map(({ name, value }) => `${name} = '${value}'`)
}

const rounds = 3

/**
 * Finds out whether a pooler shares server connections. `client` runs a query, and `other` then begins a transaction. A
 * pooler that shares connections gives `other` the connection that has just answered `client`, so the next query of
 * `client` runs on a different connection.
 */
async function findMode(Client: typeof pg.Client): Promise<Way> {
  const [client, other] = [new Client(settings), new Client(settings)]
  const whoAnswers = { name: `who_answers_${randomUUID()}`, text: 'select pg_backend_pid() as pid' }
  const pidOf = async () => (await client.query<{ pid: number }>(whoAnswers)).rows[0]?.pid
  try {
    await Promise.all([client.connect(), other.connect()])
    for (let round = 0; round < rounds; round++) {
      const before = await pidOf()
      await other.query('begin')
      const after = await pidOf()
      await other.query('rollback')
      if (before !== after) return 'pooled by transaction'
    }
    return 'pooled by session'
  } catch (error) {
    // The prepared statement is missing, so another connection has answered.
    throw error instanceof pg.DatabaseError && error.code === '26000' ? new StartRefused(unprepared) : error
  } finally {
    await Promise.allSettled([client.end(), other.end()])
  }
}

const unprepared =
  'The pooler in front of PostgreSQL forgets prepared statements with each transaction. Use PgBouncer 1.21 or newer and set max_prepared_statements = 200, or set pool_mode = session.'

/** Returns an error if a pooler refuses us until its settings change; null if the error may be temporary. */
export function refusalOfPooler(error: unknown): StartRefused | null {
  if (!(error instanceof Error) || !/unsupported startup parameter/i.test(error.message)) return null
  return new StartRefused(
    `The pooler in front of PostgreSQL refuses our connections: ${error.message}. Set ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,options in PgBouncer.`,
    { cause: error },
  )
}
