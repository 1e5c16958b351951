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
    return this.#inTurn(() => super.query<T>(sql, values, options))
  }

  override exec(script: string, options?: QueryOptions): Promise<Results[]> {
    return this.#inTurn(() => super.exec(script, options))
  }

  override transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#inTurn(() => super.transaction(work))
  }
}
