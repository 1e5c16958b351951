import pg from 'pg'
import type { Columns, Line, Statements } from './statements.ts'

// Prisma writes and reads times without their zone.
const inUtc = '-c TimeZone=UTC'
/**
 * Statements find what they want by an index, whatever they are asked for: planned anew each time, a list would take
 * PostgreSQL nearly twice as long. A plan that is made while a table is small has to be right when it has grown.
 */
const plannedOnce = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off'

/** A database that hangs becomes a 503 within two seconds, the wait for a connection included. */
export const answerTimeoutMs = 1_900

export const settingsOf = (databaseUrl: string): pg.ClientConfig => ({
  connectionString: databaseUrl,
  application_name: 'animal-store',
  options: `${inUtc} ${plannedOnce}`,
  connectionTimeoutMillis: answerTimeoutMs,
  query_timeout: answerTimeoutMs,
  statement_timeout: answerTimeoutMs,
  idle_in_transaction_session_timeout: 10_000,
  keepAlive: true,
})

/**
 * A connection that PostgreSQL ends would end the process if nobody listened, though whoever asks next is told or gets
 * another one. The pool listens for idle ones alone: between two that take turns on a connection nobody would.
 */
export function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config)
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}

export async function openLine(settings: pg.ClientConfig): Promise<Line> {
  const client = new pg.Client(settings)
  // Whoever asks next is told.
  client.on('error', () => {})
  await client.connect()
  return { run: runOver(client), close: () => client.end() }
}

const asWritten = { getTypeParser: () => (text: string) => text }

export function runOver(connection: pg.Pool | pg.Client): Statements['run'] {
  return async ({ name, text, values }) => {
    const query = { name, text, values: [...values], rowMode: 'array' as const, types: asWritten }
    return (await connection.query<Columns>(query)).rows
  }
}
