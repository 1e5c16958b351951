// Compares a service with a hundred thousand deployed projects, each with a domain and its certificate, with a service
// that has almost none.
import { peakMegabytes } from '../account.ts'
import { type Services, startServices } from '../ground.ts'
import { type Deploying, deploys, deployWhileVisited } from './deploys.ts'
import { countingStatements, type KeysRead, measureKeys } from './keys.ts'
import { type Pair, startPair } from './pair.ts'
import { type Seeded, seedHosts } from './seed.ts'

export type HostsFound = { empty: HostsSide; full: HostsSide; keys: KeysRead }
/** `startMs` and `megabytes` each come from the process with the higher figure. */
export type HostsSide = Deploying & { projects: number; startMs: number; megabytes: number }

const projects = 100_000
const keysInUse = 20_000
/** Number of projects of the almost empty service. Half of them deploy, while the others are visited. */
const few = 2 * deploys

export async function measureHosts(): Promise<HostsFound> {
  const empty = await onPair(few, measureSide)
  const [full, keys] = await onPair(
    projects,
    async (services, pair, seeded) =>
      [await measureSide(services, pair, seeded), await measureKeys(services, pair, seeded)] as const,
  )
  return { empty, full, keys }
}

async function measureSide(_: Services, pair: Pair, seeded: Seeded): Promise<HostsSide> {
  const deploying = await deployWhileVisited(pair, seeded)
  console.log(`Hosts of ${seeded.count} projects: measured.`)
  return {
    ...deploying,
    projects: seeded.count,
    startMs: Math.max(...pair.map(({ firstAnswerMs }) => firstAnswerMs)),
    megabytes: Math.max(...pair.map(({ pid }) => peakMegabytes(pid))),
  }
}

type Measure<T> = (services: Services, pair: Pair, seeded: Seeded) => Promise<T>

async function onPair<T>(count: number, measure: Measure<T>): Promise<T> {
  const services = await startServices(countingStatements)
  let pair: Pair | null = null
  try {
    const seeded = await seedHosts(services.databaseUrl, count, keysInUse)
    pair = await startPair(services, seeded)
    return await measure(services, pair, seeded)
  } finally {
    await Promise.all((pair ?? []).map(process => process.stop()))
    await services.stop()
  }
}
