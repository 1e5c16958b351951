import { setImmediate as nextTurn } from 'node:timers/promises'
import { PGlite, type QueryOptions, type Results, type Transaction } from '@electric-sql/pglite'
import { ownerNow } from './owner.ts'
import { openShares } from './shares.ts'

/**
 * PGlite runs one statement or transaction at a time, in the order of calls. This class lets the projects take turns,
 * and yields to the event loop after each: PGlite never yields, so the queue of one project would block all other
 * requests, and /livez.
 */
export class SharedPGlite extends PGlite {
  readonly #share = openShares(1, 1)
  /** Number of statements and transactions that may have written. */
  writes = 0

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    return this.#share(ownerNow(), async () => {
      try {
        return await run()
      } finally {
        await nextTurn()
      }
    })
  }

  override query<T>(sql: string, values?: unknown[], options?: QueryOptions): Promise<Results<T>> {
    return this.#inTurn(async () => {
      const results = await super.query<T>(sql, values, options)
      if (!/^\s*(select|show)\b/i.test(sql)) this.writes++
      return results
    })
  }

  override exec(script: string, options?: QueryOptions): Promise<Results[]> {
    return this.#inTurn(async () => {
      const results = await super.exec(script, options)
      this.writes++
      return results
    })
  }

  override transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      const result = await super.transaction(work)
      this.writes++
      return result
    })
  }
}
