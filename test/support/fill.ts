import type { Tools } from '../../src/tools.ts'
import { administer } from './databases.ts'

type Place = { config: Pick<Tools['config'], 'databaseUrl'>; db: Pick<Tools['db'], '$executeRawUnsafe'> }

/**
 * Runs SQL that writes thousands of rows. On PostgreSQL, the SQL runs on a connection without the service's time limit,
 * because slow machines exceed the limit. On PostgreSQL, the triggers that write events and count pets do not run,
 * because these triggers take most of the time. The service's caches are still invalidated.
 */
export async function fill({ config: { databaseUrl }, db }: Place, sql: string): Promise<void> {
  if (databaseUrl === null) await db.$executeRawUnsafe(sql)
  else await administer(databaseUrl, `SET session_replication_role = replica; ${sql}`)
}

/**
 * Writes this many rows, at most a thousand per statement: each row also fires triggers, and the service cancels a
 * statement after two seconds.
 */
export async function inPieces(
  count: number,
  write: (from: number, to: number) => Promise<unknown>,
): Promise<void> {
  for (let from = 1; from <= count; from += 1_000) await write(from, Math.min(count, from + 999))
}
