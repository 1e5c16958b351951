import pg from 'pg'
import { traceStatement } from '../tools/tracing.ts'
import { isStopped } from './faults.ts'
import type { Columns, Line, Statements } from './statements.ts'

/**
 * In milliseconds. If the database hangs, a request gets 503 within two seconds, including its wait for a connection.
 */
export const answerTimeoutMs = 1_900
const idleTimeoutMs = 10_000

const is = (wanted: string) => (actual: string) => actual === wanted
const isAtMost = (most: number) => (actual: string) => Number(actual) > 0 && Number(actual) <= most

/**
 * The settings that every connection needs, also one to the embedded database:
 * - timezone: Prisma reads and writes times without a time zone.
 * - datestyle: we parse times only in this style.
 * - standard_conforming_strings: our triggers and statements have \ in quotes.
 * - search_path: by default, PostgreSQL first looks for a schema with the name of the role.
 * - plan_cache_mode: planning a list each time would take PostgreSQL nearly twice as long.
 * - enable_seqscan: every query can use an index, and a plan made while a table is small must stay good when it grows.
 */
export const sessionSettings = [
  { name: 'timezone', value: 'UTC', isFit: (actual: string) => /^(Etc\/)?(UTC|GMT)$/i.test(actual) },
  { name: 'datestyle', value: 'ISO', isFit: (actual: string) => /^ISO\b/i.test(actual) },
  { name: 'standard_conforming_strings', value: 'on', isFit: is('on') },
  {
    name: 'search_path',
    value: 'public',
    isFit: (actual: string) => /^("\$user", ?)?public(,|$)/.test(actual),
  },
  { name: 'plan_cache_mode', value: 'force_generic_plan', isFit: is('force_generic_plan') },
  { name: 'enable_seqscan', value: 'off', isFit: is('off') },
]
/**
 * The settings that only PostgreSQL needs. PGlite has no JIT compiler, and only one connection. At a stricter level than
 * read committed, a change fails if a concurrent transaction has changed the same row.
 */
const postgresSettings = [
  { name: 'jit', value: 'off', isFit: is('off') },
  { name: 'default_transaction_isolation', value: 'read committed', isFit: is('read committed') },
]

/** The settings that every connection to PostgreSQL needs. PGlite has no timers for the time limits. */
export const wantedSettings = [
  ...sessionSettings,
  ...postgresSettings,
  { name: 'statement_timeout', value: String(answerTimeoutMs), isFit: isAtMost(10_000) },
  {
    name: 'idle_in_transaction_session_timeout',
    value: String(idleTimeoutMs),
    isFit: isAtMost(60_000),
  },
]
/** A setting of our own. If a connection lacks it, a pooler has dropped the other settings too. */
export const marker = 'animal_store.settings_arrive'

const options = [...sessionSettings, ...postgresSettings, { name: marker, value: 'yes' }]
  .map(({ name, value }) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
  .join(' ')

export const settings: pg.ClientConfig = {
  application_name: 'animal-store',
  options,
  connectionTimeoutMillis: answerTimeoutMs,
  query_timeout: answerTimeoutMs,
  statement_timeout: answerTimeoutMs,
  idle_in_transaction_session_timeout: idleTimeoutMs,
  keepAlive: true,
}

/** Ignores errors of idle connections: the pool emits them too, although the clients of clientsOf handle them. */
export function openPool(config: pg.PoolConfig & { Client: typeof pg.Client }): pg.Pool {
  const pool = new pg.Pool(config)
  pool.on('error', () => {})
  return pool
}

export async function openLine(Client: typeof pg.Client): Promise<Line> {
  const client = new Client(settings)
  await client.connect()
  return { run: runOver(client), close: () => client.end() }
}

const asWritten = { getTypeParser: () => (text: string) => text }

export function runOver(connection: pg.Pool | pg.Client): Statements['run'] {
  return async ({ name, text, values, timeoutMs }) => {
    const query = { name, text, values: [...values], rowMode: 'array' as const, types: asWritten }
    const result = await traceStatement(name, () =>
      timeoutMs !== undefined && connection instanceof pg.Pool
        ? queryWithin(timeoutMs, connection, query)
        : connection.query<Columns>(query),
    )
    return result.rows
  }
}

/** Uses a transaction, because a pooler may give the connection to another client after each transaction. */
async function queryWithin(timeoutMs: number, pool: pg.Pool, query: pg.QueryArrayConfig) {
  const client = await pool.connect()
  try {
    await client.query(`BEGIN; SET LOCAL statement_timeout = ${timeoutMs}`)
    const result = await client.query<Columns>(query)
    await client.query('COMMIT')
    return result
  } catch (error) {
    // After another error, the transaction stays open, so the pool closes the connection.
    if (isStopped(error)) await client.query('ROLLBACK').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}
