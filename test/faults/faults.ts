import type { Fault } from './fault.ts'
import { heldByTests } from './held-by-tests.ts'
import { nameFaults } from './names.ts'
import { networkFaults } from './network.ts'
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
export const faultsByPart: Readonly<Record<string, readonly Fault[]>> = {
  PostgreSQL: [...postgresFaults, ...postgresRefusals],
  'Restores and edits by hand': restores,
  Redis: redisFaults,
  'Processes, logs, clocks and clients': processFaults,
  'The network to PostgreSQL and Redis': networkFaults,
  PgBouncer: poolerFaults,
  'Passwords and names': nameFaults,
  'Rolling restarts behind a balancer': rollingFaults,
  'Faults with tests of their own': heldByTests,
}

export const faults: readonly Fault[] = Object.values(faultsByPart).flat()
