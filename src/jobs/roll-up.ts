import { addUpCounts } from '../core/pets/inventory.ts'
import { addUpHours } from '../core/usage/rollup.ts'
import type { Statements } from '../database/statements.ts'
import type { Clock } from '../tools/clock.ts'
import type { Work } from './worker.ts'

/** Merges changes of pet counts, so that reading a count stays cheap. Several processes may run this at once. */
export function addUpPets(database: Statements): Work<null> {
  return {
    everyMs: 2_000,
    mostAtOnce: 1,
    async claim() {
      await addUpCounts(database)
      return []
    },
    async run() {},
  }
}

/** Merges hourly usage of keys into days, so that the table stays small. Several processes may run this at once. */
export function addUpUsage(database: Statements, clock: Clock): Work<null> {
  return {
    everyMs: 10_000,
    mostAtOnce: 1,
    async claim() {
      await addUpHours(database, clock)
      return []
    },
    async run() {},
  }
}
