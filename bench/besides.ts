// Measurements besides requests per second: the p99 during floods and with ten thousand projects, the memory over time,
// and the duration of a start.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { residentMegabytes } from './account.ts'
import { contestants } from './contestants.ts'
import { ours } from './dialects.ts'
import { drive } from './drive.ts'
import { type Ground, layGround } from './ground.ts'
import { measure } from './measure.ts'
import { median } from './median.ts'
import type { Options } from './options.ts'
import { serve } from './processes.ts'
import type { Question } from './questions.ts'
import type { Results } from './results.ts'
import { type Running, startContestant } from './start-contestant.ts'
import { works } from './works.ts'

const us = contestants.find(({ name }) => name === 'ours') ?? contestants[0]
const floodConnections = 16
/**
 * A p99 varies between rounds, so the bench measures a p99 in three times as many rounds as other figures
 * (`pace.rounds`). The median of many short rounds is stable, because the speed of the machine hardly changes within
 * one round.
 */
const p99Rounds = (options: Options) => 3 * options.pace.rounds

export async function measureStart(ground: Ground): Promise<Results['start']> {
  const anyone = { method: 'GET', path: '/v1/pets', headers: {} } as const
  const once = async (env: Record<string, string>, request: Parameters<typeof serve>[3]) => {
    const served = await serve(us.file, ground.folder, env, request)
    await served.stop()
    return served.firstAnswerMs
  }
  const postgres: number[] = []
  for (let n = 0; n < 3; n++) {
    const request = await ours({ act: 'list', project: 1 }, ground.keys)
    postgres.push(await once({ DATABASE_URL: ground.databaseUrl, REDIS_URL: ground.redisUrl }, request))
  }
  const embeddedCold = await once({}, anyone)
  const { apiKey } = JSON.parse(readFileSync(join(ground.folder, '.data', 'credentials.json'), 'utf8'))
  const embedded: number[] = []
  for (let n = 0; n < 3; n++) {
    embedded.push(await once({}, { ...anyone, headers: { authorization: `Bearer ${apiKey}` } }))
  }
  return { postgres: median(postgres), embeddedWarm: median(embedded), embeddedCold }
}

/** Measures the p99 of projects within their limits, alone and then beside each kind of flood. */
export async function measureFlood(ground: Ground, options: Options): Promise<Results['flood']> {
  const contestant = await startContestant(us, ground)
  const { connections, seconds } = options.pace
  const load = async (question: (n: number) => Question, count: number, duration: number) =>
    drive({
      port: contestant.port,
      requests: await Promise.all(Array.from({ length: 10_000 }, (_, n) => ours(question(n), ground.keys))),
      seconds: duration,
      connections: count,
      folder: ground.folder,
    })
  const list = (n: number) => works.list.ask(n)
  const floods = { quiet: null, refused: works.refused.ask, wrongKey: works.wrongKey.ask }
  const found = { quiet: [] as number[], refused: [] as number[], wrongKey: [] as number[] }
  await load(list, connections, seconds)
  for (let round = 0; round < p99Rounds(options); round++) {
    for (const [name, flood] of Object.entries(floods) as [
      keyof typeof found,
      ((n: number) => Question) | null,
    ][]) {
      const flooding = flood && load(flood, floodConnections, seconds)
      found[name].push((await load(list, connections, seconds)).p99)
      await flooding
    }
  }
  await contestant.stop()
  return found
}

/** Requests the first pages of all projects, so that ten thousand keys and pages are in use. */
const everywhere = {
  ...works.list,
  ask: (n: number, size: Ground['size']) => ({ act: 'list' as const, project: (n % size.projects) + 1 }),
}

export type Side = { contestant: Running; ground: Ground }

/** Opens two stores with a thousand pets per project: one with ten projects, one with ten thousand. */
export async function openSides(): Promise<Side[]> {
  return Promise.all([
    openSide({ pets: 10_000, projects: 10 }),
    openSide({ pets: 10_000_000, projects: 10_000 }),
  ])

  async function openSide(size: Ground['size']): Promise<Side> {
    const ground = await layGround(size)
    return { ground, contestant: await startContestant(us, ground) }
  }
}

export async function measureSize(sides: Side[], options: Options): Promise<Results['size']> {
  const found: [number[], number[]] = [[], []]
  for (let round = 0; round <= p99Rounds(options); round++) {
    for (const [index, { contestant, ground }] of sides.entries()) {
      const { cell } = await measure(everywhere, contestant, ground, options.pace, 0)
      // The first round only warms up.
      if (round > 0) found[index]?.push(cell.p99)
    }
  }
  for (const side of sides) {
    await side.contestant.stop()
    await side.ground.stop()
  }
  return { small: found[0], large: found[1] }
}

/** Measures the memory early in the work `mix` and at its end, to detect a leak. */
export async function measureSoak(ground: Ground, options: Options): Promise<Results['soak']> {
  const contestant: Running = await startContestant(us, ground)
  const seconds = options.soakSeconds
  const samples: number[] = []
  const sampling = setInterval(() => samples.push(residentMegabytes(contestant.pid)), 1000)
  const { cell } = await measure(works.mix, contestant, ground, { ...options.pace, seconds }, 0)
  clearInterval(sampling)
  await contestant.stop()
  const minute = Math.floor(Math.min(60, seconds / 4))
  return {
    seconds,
    early: median(samples.slice(minute, 2 * minute)),
    late: median(samples.slice(-minute)),
    perSecond: cell.perSecond,
  }
}
