import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { StartRefused } from '../tools/start-refused.ts'
import { clientsOf } from './clients.ts'
import { type Copied, copyStore, tablesOf } from './copy-store.ts'
import type { Run } from './database.ts'
import { openEmbeddedDatabase } from './embedded.ts'
import { whyUnavailable } from './faults.ts'
import { openDatabase } from './open-database.ts'

/** Tables that the migrations fill. All others must be empty in the target. */
const filledByMigrations = new Set(['additive_migrations', 'changes', 'changes_state', 'event_era', 'plans'])

/**
 * Copies the embedded database in `dataDir` to an empty PostgreSQL. All or nothing: the copy is one transaction. The
 * lock on `dataDir` keeps a service from writing during the copy.
 */
export async function moveStore(dataDir: string, to: string): Promise<Copied> {
  if (!existsSync(join(dataDir, 'postgres')))
    throw new StartRefused(`There is no embedded database in ${dataDir}. Set DATA_DIR to its folder.`)
  const Client = clientsOf(to)
  const source = await openEmbeddedDatabase(dataDir)
  try {
    if (!source.lend) throw new Error('the embedded database lends no connection')
    // Refuse a database that something else uses, before the migrations change it.
    await inTransaction(Client, requireEmpty)
    await migrate(to, dataDir)
    return await source.lend(
      from =>
        inTransaction(Client, async target => {
          const tables = await tablesOf(target)
          await target(`LOCK TABLE ${tables.map(table => `"${table}"`).join(', ')} IN ACCESS EXCLUSIVE MODE`)
          await requireEmpty(target)
          return copyStore(from, target)
        }),
      // No limit: no other work waits for this transaction.
      Number.POSITIVE_INFINITY,
    )
  } catch (error) {
    throw refusalOf(error) ?? error
  } finally {
    await source.close()
  }
}

async function requireEmpty(run: Run): Promise<void> {
  const used: string[] = []
  for (const table of await tablesOf(run)) {
    if (filledByMigrations.has(table)) continue
    const [row] = await run(`SELECT EXISTS (SELECT FROM "${table}") AS "hasRows"`)
    if (row?.hasRows) used.push(table)
  }
  if (used.length === 0) return
  const some = `${used.slice(0, 3).join(', ')}${used.length > 3 ? ', ...' : ''}`
  throw new StartRefused(
    `Nothing was moved, because the target is not empty: it has rows in ${some}. Create a new database with createdb.`,
  )
}

async function migrate(databaseUrl: string, dataDir: string): Promise<void> {
  const target = await openDatabase({ databaseUrl, dataDir })
  const obstacle = target.outage.reason()
  await target.close()
  if (obstacle) throw new StartRefused(`Nothing was moved, because of PostgreSQL: ${obstacle}.`)
}

async function inTransaction<T>(Client: typeof pg.Client, work: (run: Run) => Promise<T>): Promise<T> {
  const client = new Client()
  await client.connect()
  try {
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; BEGIN')
    const result = await work(async (sql, parameters = []) => (await client.query(sql, [...parameters])).rows)
    await client.query('COMMIT')
    return result
  } finally {
    // Closing the connection rolls back what is not committed.
    await client.end()
  }
}

/** Returns the error for a failure of PostgreSQL or of the connection to it; null for a bug. */
function refusalOf(error: unknown): StartRefused | null {
  if (error instanceof pg.DatabaseError)
    return new StartRefused(`Nothing was moved, because PostgreSQL refused: ${error.message}.`)
  const why = whyUnavailable(error)
  return why && new StartRefused(`Nothing was moved, because of PostgreSQL: ${why.reason} (${why.detail}).`)
}
