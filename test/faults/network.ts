import { setTimeout as pause } from 'node:timers/promises'
import { databaseAway, redisAway } from './away.ts'
import type { Fault } from './fault.ts'
import { type Ground, wired } from './ground.ts'
import type { Wire, Wires } from './wires.ts'

const forMs = 3_000

const cutTo = (wire: Wire) => wire.cut('to the service')
const cutFrom = (wire: Wire) => wire.cut('from the service')
const forget = (wire: Wire) => wire.forget()
const delay = (wire: Wire) => wire.delay(50)

/** Faults of the network between one of the processes and PostgreSQL or Redis. */
export const networkFaults: Fault[] = faultsOfNetwork()

function faultsOfNetwork(): Fault[] {
  // Expect no particular log line and no particular answer of /readyz, because the other processes still reach the
  // database.
  const postgres = { ...databaseAway, says: null, readiness: null, mostLines: 4 }
  const redis = { ...redisAway, readiness: null }
  return [
    fault('postgres-deaf', 'For 3 s, PostgreSQL receives nothing from one process', postgres, cutTo),
    fault('postgres-mute', 'For 3 s, one process receives nothing from PostgreSQL', postgres, cutFrom),
    fault(
      'postgres-half-open',
      "PostgreSQL's ends of one process' connections are gone without a word",
      postgres,
      forget,
    ),
    fault('postgres-far', 'PostgreSQL is 50 ms away from one process, each way, for 3 s', postgres, delay),
    fault('redis-deaf', 'For 3 s, Redis receives nothing from one process', redis, cutTo, 'redis'),
    fault('redis-mute', 'For 3 s, one process receives nothing from Redis', redis, cutFrom, 'redis'),
    fault(
      'redis-half-open',
      "Redis' ends of one process' connections are gone without a word",
      redis,
      forget,
      'redis',
    ),
  ]

  function fault(
    name: string,
    what: string,
    promises: object,
    act: (wire: Wire) => void,
    service: 'postgres' | 'redis' = 'postgres',
  ): Fault {
    return {
      name,
      what,
      ground: wired,
      promises: { ...promises, limits: null },
      happen: now => disturb(now, act, service),
    }
  }
}

async function disturb({ wires }: Ground, act: (wire: Wire) => void, service: keyof Wires): Promise<void> {
  const ofProcess = wires.at(-1)
  if (!ofProcess) throw new Error('These processes have no wires.')
  const disturbed = [ofProcess[service]].flat()
  for (const wire of disturbed) act(wire)
  await pause(forMs)
  for (const wire of disturbed) wire.mend()
}
