// Measures what a request of each kind costs while the store grows.
import { cpuMicroseconds, familyCpuMicroseconds } from '../account.ts'
import type { Request } from '../clients.ts'
import { withClient } from '../database.ts'
import { firstUnused } from '../equality.ts'
import { closedLoop } from '../open-loop.ts'
import { untilNumbered } from '../writes.ts'
import { type Axis, axes, type Side } from './axes.ts'
import { type Kind, kinds } from './kinds.ts'

/** CPU time in microseconds per request, in the process and in PostgreSQL. */
export type Cost = { process: number; postgres: number }
/** `costs` has a cost for each step of the axis. */
export type Grown = { axis: Axis; rows: { kind: Kind; costs: Cost[] }[] }

const rounds = 3
const connections = 8

export async function measureGrowth(): Promise<Grown[]> {
  const grown: Grown[] = []
  for (const axis of axes) {
    grown.push(await measureAxis(axis))
    console.log(`${axis.title}: measured.`)
  }
  return grown
}

async function measureAxis(axis: Axis): Promise<Grown> {
  const sides: Side[] = []
  try {
    for (const step of axis.steps) sides.push(await axis.open(step))
    const rows: Grown['rows'] = []
    for (const kind of kinds) rows.push({ kind, costs: await measureKind(kind, sides) })
    return { axis, rows }
  } finally {
    await Promise.all(sides.map(side => side.stop()))
  }
}

/**
 * The sides take turns, so that a slow phase of the machine affects all of them. The clock of CPU time is coarse, so the
 * time of all rounds is divided by the requests of all rounds. The first round is a warm-up.
 */
async function measureKind(kind: Kind, sides: Side[]): Promise<Cost[]> {
  const sums = sides.map(() => ({ process: 0, postgres: 0, requests: 0 }))
  for (let round = 0; round <= rounds; round++) {
    for (const [index, side] of sides.entries()) {
      const cost = await costOf(kind, side, firstUnused + round * kind.count)
      const sum = sums[index]
      if (round === 0 || !sum) continue
      sum.process += cost.process
      sum.postgres += cost.postgres
      sum.requests += kind.count
    }
  }
  return sums.map(({ process, postgres, requests }) => ({
    process: process / requests,
    postgres: postgres / requests,
  }))
}

/** Includes the background job that numbers the events of the requests. */
async function costOf(kind: Kind, { ground, process }: Side, from: number): Promise<Cost> {
  const requests: Request[] = []
  for (let n = from; n < from + kind.count; n++) {
    requests.push(await process.dialect(kind.ask(n, ground.size), ground.keys))
  }
  const before = read()
  const statuses = await closedLoop(requests, Number.POSITIVE_INFINITY, { port: process.port, connections })
  for (const status of statuses.keys()) {
    if (status >= 300) throw new Error(`${kind.title}: the store answered ${status}.`)
  }
  await withClient(ground.databaseUrl, untilNumbered)
  const after = read()
  return { process: after.process - before.process, postgres: after.postgres - before.postgres }

  function read(): Cost {
    return {
      process: cpuMicroseconds(process.pid),
      postgres: familyCpuMicroseconds(ground.pids.postgres),
    }
  }
}
