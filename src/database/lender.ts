import pg from 'pg'
import type { Lend, Run } from './database.ts'
import type { PostgresThread } from './postgres-thread.ts'
import type { SharedPool } from './shared-pool.ts'

/**
 * The CPU time, in milliseconds, that a transaction may use when `lender` lends the embedded database. The limit is
 * needed because all other statements wait until the transaction ends.
 */
const mostLentCpuMs = 2_000

const tooLong = () =>
  new Error(
    `The statement was stopped after ${mostLentCpuMs / 1000} s of CPU time, because the whole service waits for it. Read fewer rows, or use less expensive functions.`,
  )

const { INT8, DATE, TIMESTAMP } = pg.types.builtins
const ofLent = new Map<number, (text: string) => unknown>([
  [INT8, text => text],
  [DATE, text => new Date(text)],
  [TIMESTAMP, text => new Date(`${text}Z`)],
])
/** Returns times of columns without a time zone as UTC, and an int64 as text, because JSON would round it. */
const lentTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => ofLent.get(oid) ?? pg.types.getTypeParser(oid, format),
}

/**
 * Lends the embedded database: runs the caller's `work` in one transaction, while all other statements wait. Stops the
 * transaction when it has used `mostCpuMs` of CPU time; with `Infinity`, the transaction has no limit.
 */
export function lender(pool: SharedPool, thread: PostgresThread): Lend {
  return async (work, mostCpuMs = mostLentCpuMs) => {
    const client = await pool.connect()
    const run: Run = async (text, values = []) => {
      // PostgreSQL's extended protocol allows one statement per text.
      const query = { text, values: [...values], queryMode: 'extended', types: lentTypes }
      return (await client.query<Record<string, unknown>>(query)).rows
    }
    let isBroken = false
    const limit = Number.isFinite(mostCpuMs)
      ? await thread.limitCpu(mostCpuMs, tooLong()).catch(error => {
          client.release(true)
          throw error
        })
      : null
    try {
      await client.query('BEGIN')
      const result = await work(run)
      await client.query('COMMIT')
      return result
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {
        isBroken = true
      })
      throw error
    } finally {
      limit?.end()
      client.release(isBroken)
    }
  }
}
