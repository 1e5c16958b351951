import { setTimeout as pause } from 'node:timers/promises'
import { fitPooler } from '../support/poolers.ts'
import { databaseAway } from './away.ts'
import type { Fault } from './fault.ts'
import { pooled } from './ground.ts'

const obstacle = () => (fitPooler ? null : 'needs PgBouncer 1.21 or newer')
// After a restart, the pooler accepts connections before PostgreSQL serves these connections. So the service may report
// one outage as two outages.
const behindPooler = { ...databaseAway, wellWithinMs: 4_000, mostLines: 4 }

/** Faults of PgBouncer in transaction mode. */
export const poolerFaults: Fault[] = [
  {
    name: 'pooler-restarted',
    what: 'PgBouncer in transaction mode is killed (kill -9), and is back after 2 s',
    ground: pooled,
    promises: behindPooler,
    async happen({ pooler }) {
      await pooler?.kill9()
      await pause(2_000)
      await pooler?.restart()
    },
    obstacle,
  },
  {
    name: 'pooler-refuses',
    what: 'PgBouncer refuses connections because the PostgreSQL behind it was killed; PostgreSQL is back after 3 s',
    ground: pooled,
    promises: behindPooler,
    async happen({ postgres }) {
      await postgres.kill9()
      await pause(3_000)
      await postgres.restart()
    },
    obstacle,
  },
  {
    name: 'pooler-hangs',
    what: 'PgBouncer hangs (SIGSTOP) for 4 s',
    ground: pooled,
    promises: behindPooler,
    async happen({ pooler }) {
      pooler?.pause()
      await pause(4_000)
      pooler?.resume()
    },
    obstacle,
  },
]
