// Measures the store beside the machine's limit, the same stack by the book, and its peers, all in one run.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { peakMegabytes } from './account.ts'
import { measureFlood, measureSize, measureSoak, measureStart } from './besides.ts'
import { drawChart } from './chart.ts'
import { type Contestant, contestants } from './contestants.ts'
import { checkEquality } from './equality.ts'
import { layGround } from './ground.ts'
import { describeMachine, prepareMachine } from './machine.ts'
import { type Cell, measure } from './measure.ts'
import { readOptions } from './options.ts'
import { type Running, startContestant } from './processes.ts'
import { writeReport } from './report.ts'
import type { Results } from './results.ts'
import { listBeside, type Work, type WorkName, works } from './works.ts'

// Three grounds, each with programs and folders that go when this process goes.
process.setMaxListeners(30)
const options = readOptions(process.argv.slice(2))
prepareMachine(options)
const results: Results = { cells: new Map(), peakMegabytes: new Map() }
const running: Running[] = []

console.log(`Filling PostgreSQL with ${options.size.pets} pets of ${options.size.projects} projects.`)
const ground = await layGround(options.size)
try {
  await startAll()
  for (const name of options.names) {
    const compared = await checkEquality(works[name], competing(works[name]), ground)
    console.log(`${works[name].title}: ${compared} answers compared, all equal.`)
  }
  if (!options.equalityOnly) {
    for (const name of options.names) await time(name)
    for (const { name, pid } of running) results.peakMegabytes.set(name, peakMegabytes(pid))
  }
  await Promise.all(running.splice(0).map(contestant => contestant.stop()))
  if (!options.equalityOnly) await measureBesides()
} finally {
  await Promise.all(running.map(contestant => contestant.stop()))
  await ground.stop()
}
if (!options.equalityOnly) report()

async function startAll(): Promise<void> {
  const needed = contestants.filter(
    ({ name }) => options.names.some(work => competes(works[work], name)) && !options.without.includes(name),
  )
  for (const contestant of needed as Contestant[]) running.push(await startContestant(contestant, ground))
}

async function time(name: WorkName): Promise<void> {
  const work: Work = works[name]
  const pace = options.paceOf(work)
  const asked = new Map<string, number>()
  const cells = new Map<string, Cell[]>(competing(work).map(contestant => [contestant.name, []]))
  results.cells.set(name, cells)
  // The first round only warms up: what an engine has not compiled yet says nothing about a service that runs for weeks.
  for (let round = 0; round <= pace.rounds; round++) {
    // Each round begins with another contestant, so that none always follows the same one.
    const order = competing(work)
    order.push(...order.splice(0, round % order.length))
    for (const contestant of order) {
      const from = asked.get(contestant.name) ?? 0
      const measured = await measure(work, contestant, ground, pace, from)
      asked.set(contestant.name, from + measured.asked)
      if (round > 0) cells.get(contestant.name)?.push(measured.cell)
      if (round === 0 || !work.besideList || contestant.name !== 'ours') continue
      const list = await measure(works.list, contestant, ground, pace, 0)
      cells.set(listBeside, [...(cells.get(listBeside) ?? []), list.cell])
    }
  }
  console.log(`${work.title}: measured.`)
}

async function measureBesides(): Promise<void> {
  const { besides } = options
  if (besides.includes('start')) results.start = await measureStart(ground)
  if (besides.includes('flood')) results.flood = await measureFlood(ground, options)
  if (besides.includes('soak')) results.soak = await measureSoak(ground, options)
  if (besides.includes('size')) results.size = await measureSize(options)
}

function report(): void {
  const text = writeReport(results, options, describeMachine())
  console.log(`\n${text}`)
  // A partial run is for looking; only a whole one or a quick one is kept.
  if (!options.isKept) return
  writeFileSync(join(import.meta.dirname, 'results.md'), text)
  writeFileSync(join(import.meta.dirname, 'results.svg'), drawChart(results))
}

function competes(work: Work, name: string): boolean {
  return work.contestants.some(chosen => chosen === name)
}

function competing(work: Work): Running[] {
  return running.filter(({ name }) => competes(work, name))
}
