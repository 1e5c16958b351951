import type { Cluster, Redis } from 'ioredis'
import type { Clock } from '../tools/clock.ts'
import type { Logger } from '../tools/log.ts'
import { openBatches } from './batch.ts'
import type { Charge } from './charge.ts'
import { Circuit } from './circuit.ts'
import type { Decision } from './decision.ts'
import { keyOf } from './script.ts'

/** The counts that all processes share in Redis; an outage is thrown as one. */
export function openShared(
  redis: Redis | Cluster,
  clock: Clock,
  log: Logger,
  time: (seconds: number) => void,
  patienceMs: number,
) {
  let lastSubject = ''
  // The probe writes, since a Redis may read and refuse writes; and beside the last subject, which in a cluster lies on
  // the node that failed.
  const circuit = new Circuit(() => redis.set(`${keyOf(lastSubject)}:probe`, '', 'PX', 1000), log, patienceMs)
  const batches = openBatches(redis, circuit, clock, time)

  return {
    isReady: () => redis.status === 'ready' && !circuit.isOpen,
    decide(act: 'charge' | 'peek', charge: Charge): Promise<Decision> {
      lastSubject = charge.subject
      return batches.decide(act, charge)
    },
    /** The next charge finds no version and makes a new one. */
    renewVersion: batches.renewVersion,
    close: () => circuit.close(),
  }
}
