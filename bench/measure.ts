import { cpuMicroseconds, familyCpuMicroseconds } from './account.ts'
import type { Request } from './clients.ts'
import { drive } from './drive.ts'
import type { Ground } from './ground.ts'
import type { Running } from './start-contestant.ts'
import type { Work } from './works.ts'

export type Cell = {
  perSecond: number
  p50: number
  p99: number
  cpuMicroseconds: number
  /**
   * CPU time that Redis and PostgreSQL use per request. A contestant that sends fewer queries to Redis and PostgreSQL
   * has lower figures.
   */
  redisMicroseconds: number
  postgresMicroseconds: number
}

export type Pace = {
  rounds: number
  seconds: number
  warmUpSeconds: number
  connections: number
  pauseMs?: number
}

/** A rate in questions per second that no contestant reaches. */
const fastest = 100_000

/** Measures one contestant, work and round. `from` is the first question that the contestant has not seen. */
export async function measure(
  work: Work,
  contestant: Running,
  ground: Ground,
  pace: Pace,
  from: number,
): Promise<{ cell: Cell; sent: number }> {
  const count = work.unique ? fastest * pace.seconds * 0.4 : (work.questions ?? 10_000)
  const requests: Request[] = []
  for (let n = from; n < from + count; n++) {
    requests.push(await contestant.dialect(work.ask(n, ground.size), ground.keys))
  }
  const before = readAccounts()
  const connections = work.connections ?? pace.connections
  const done = await drive({ port: contestant.port, requests, folder: ground.folder, ...pace, connections })
  const after = readAccounts()
  const refused = work.status >= 400 ? done.requests : 0
  if (done.failures > 0 || done.refusals !== refused) {
    throw new Error(
      `${work.title}: ${contestant.name} gave ${done.refusals} refusals, ${done.failures} failures.`,
    )
  }
  if (work.unique && done.requests > count) throw new Error(`${work.title}: questions ran out.`)
  return {
    cell: {
      perSecond: done.requests / (done.microseconds / 1e6),
      p50: done.p50,
      p99: done.p99,
      cpuMicroseconds: (after.contestant - before.contestant) / done.requests,
      redisMicroseconds: (after.redis - before.redis) / done.requests,
      postgresMicroseconds: (after.postgres - before.postgres) / done.requests,
    },
    sent: done.requests + connections,
  }

  function readAccounts() {
    return {
      contestant: cpuMicroseconds(contestant.pid),
      redis: cpuMicroseconds(ground.pids.redis),
      postgres: familyCpuMicroseconds(ground.pids.postgres),
    }
  }
}
