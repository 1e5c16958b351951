import type { Fault } from './fault.ts'
import { heldByTests } from './held-by-tests.ts'
import { nameFaults } from './names.ts'
import { poolerFaults } from './poolers.ts'
import { postgresFaults } from './postgres.ts'
import { postgresRefusals } from './postgres-refusals.ts'
import { processFaults } from './processes.ts'
import { redisFaults } from './redis.ts'
import { restores } from './restores.ts'
import { rollingFaults } from './rolling.ts'

/**
 * Faults that use the same services follow each other, so that these are started once. A fault that spoils its services
 * comes last.
 */
export const faults: readonly Fault[] = [
  ...postgresFaults,
  ...postgresRefusals,
  ...restores,
  ...redisFaults,
  ...processFaults,
  ...poolerFaults,
  ...nameFaults,
  ...rollingFaults,
  ...heldByTests,
]
