import { addUpCounts } from '../core/pets/inventory.ts'
import type { Statements } from '../database/statements.ts'
import type { Work } from './worker.ts'

/** Keeps the counts of pets short to read; any number of processes may do it at once. */
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
