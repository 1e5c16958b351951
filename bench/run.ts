// Measures four things in one run: the store, its peers, the machine's limit, and the store's libraries set up as their
// documentation shows.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { peakMegabytes } from './account.ts'
import { measureFlood, measureSize, measureSoak, measureStart, openSides } from './besides.ts'
import { measureBigStore, openBigStore } from './big-store.ts'
import { drawChart } from './chart.ts'
import { type Contestant, contestants } from './contestants.ts'
import { checkEquality, firstUnused } from './equality.ts'
import { measureEventCosts } from './event-costs.ts'
import { measureEvents } from './events/measure.ts'
import { type Ground, layGround } from './ground.ts'
import { measureGrowth } from './growth/measure.ts'
import { writeGrowth } from './growth/report.ts'
import { measureHosts } from './hosts/measure.ts'
import { measureImport } from './import.ts'
import { measureLatency } from './latency.ts'
import { describeRun, writeLatency } from './latency-report.ts'
import { measureLongMix } from './long-mix.ts'
import { describeCommit, describeMachine, prepareMachine } from './machine.ts'
import { type Cell, measure } from './measure.ts'
import { readOptions } from './options.ts'
import { writeReport } from './report.ts'
import type { Results } from './results.ts'
import { measureSizes } from './sizes.ts'
import { type Running, startContestant } from './start-contestant.ts'
import { besideName, type Work, type WorkName, works } from './works.ts'

// A full run starts several pairs of PostgreSQL and Redis, and each start adds exit listeners for programs and folders.
// With the default limit of ten listeners, Node.js would warn of a leak.
process.setMaxListeners(60)
const startedAt = performance.now()
const options = readOptions(process.argv.slice(2))
prepareMachine(options)
const run = options.latency ? describeRun(options) : ''
const commit = describeCommit()
const results: Results = { cells: new Map(), peakMegabytes: new Map(), peaksAfter: new Map() }
const running: Running[] = []

if (options.needsGround) {
  console.log(`Filling PostgreSQL with ${options.size.pets} pets of ${options.size.projects} projects.`)
  await measureOn(await layGround(options.size, true))
}
if (!options.equalityOnly && !options.latency) {
  if (options.besides.includes('hosts')) results.hosts = await measureHosts()
  if (options.besides.includes('events')) results.events = await measureEvents()
  if (options.besides.includes('eventCosts'))
    console.log('Costs of events:', JSON.stringify(await measureEventCosts()))
  if (options.besides.includes('sizes')) console.log('Sizes:', JSON.stringify(await measureSizes()))
  if (options.besides.includes('longMix'))
    console.log('Memory in a long mix:', JSON.stringify(await measureLongMix(options)))
  if (options.besides.includes('growth'))
    console.log(writeGrowth(await measureGrowth(), `commit ${commit}, ${describeMachine()}`))
  report()
}
console.log(`That took ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes.`)

async function measureOn(ground: Ground): Promise<void> {
  try {
    await startAll(ground)
    for (const name of options.names) {
      const compared = await checkEquality(works[name], competing(works[name]), ground)
      const found =
        compared > 0 ? `${compared} answers compared, all equal` : 'only one contestant, all answers right'
      console.log(`${works[name].title}: ${found}.`)
    }
    if (options.latency) {
      for (const name of options.names) {
        const work = works[name]
        writeLatency(work, await measureLatency(work, competing(work), ground, options), run)
        console.log(`${work.title}: measured.`)
      }
    } else if (!options.equalityOnly) {
      for (const name of options.names) {
        await time(name, ground)
        // Leave out the work `import`. In this work, the contestant `by the book` needs so much memory that the peak of
        // `import` would hide the peaks of all other works.
        if (name !== 'import') notePeaks(name)
      }
    }
    await Promise.all(running.splice(0).map(contestant => contestant.stop()))
    if (!options.equalityOnly && !options.latency) await measureBesides(ground)
  } finally {
    await Promise.all(running.map(contestant => contestant.stop()))
    await ground.stop()
  }
}

function notePeaks(work: WorkName): void {
  for (const { name, pid } of running) results.peakMegabytes.set(name, peakMegabytes(pid))
  results.peaksAfter.set(work, new Map(results.peakMegabytes))
}

async function startAll(ground: Ground): Promise<void> {
  const needed = contestants.filter(
    ({ name }) => options.names.some(work => competes(works[work], name)) && !options.without.includes(name),
  )
  for (const contestant of needed as Contestant[]) running.push(await startContestant(contestant, ground))
}

async function time(name: WorkName, ground: Ground): Promise<void> {
  const work: Work = works[name]
  const pace = options.paceOf(work)
  const sent = new Map<string, number>()
  const cells = new Map<string, Cell[]>(competing(work).map(contestant => [contestant.name, []]))
  results.cells.set(name, cells)
  // The first round is a warm-up: code that is not compiled yet does not represent a service that runs for weeks.
  for (let round = 0; round <= pace.rounds; round++) {
    const now = round === 0 ? { ...pace, seconds: pace.warmUpSeconds } : pace
    // Each round begins with a different contestant, so that no contestant is always the first or always the last.
    const order = competing(work)
    order.push(...order.splice(0, round % order.length))
    for (const contestant of order) {
      const from = sent.get(contestant.name) ?? firstUnused
      const measured = await measure(work, contestant, ground, now, from)
      sent.set(contestant.name, from + measured.sent)
      if (round > 0) cells.get(contestant.name)?.push(measured.cell)
      if (round === 0 || !work.beside || contestant.name !== 'ours') continue
      // A paused connection sends one request for each pause, because its answer takes far less time than the pause.
      const pauseMs = work.besideAtSameRate ? (1000 * now.connections) / measured.cell.perSecond : 0
      const beside = await measure(works[work.beside], contestant, ground, { ...now, pauseMs }, 0)
      const name = besideName(work)
      cells.set(name, [...(cells.get(name) ?? []), beside.cell])
    }
  }
  console.log(`${work.title}: measured.`)
}

async function measureBesides(ground: Ground): Promise<void> {
  const { besides } = options
  if (besides.includes('start')) results.start = await measureStart(ground)
  if (besides.includes('flood')) results.flood = await measureFlood(ground, options)
  if (besides.includes('copy')) results.import = await measureImport(ground)
  // The memory measurement needs no quiet machine, so write the ten million rows at the same time.
  const [soak, sides, bigStore] = await Promise.all([
    besides.includes('soak') ? measureSoak(ground, options) : undefined,
    besides.includes('size') ? openSides() : undefined,
    besides.includes('bigStore') ? openBigStore() : undefined,
  ])
  results.soak = soak
  if (sides) results.size = await measureSize(sides, options)
  if (bigStore) results.bigStore = await measureBigStore(bigStore, options)
}

function report(): void {
  const text = writeReport(results, options, `${describeMachine()}, at commit ${commit}`)
  console.log(`\n${text}`)
  // Save only a full run. A partial or shorter run is only printed.
  if (!options.isFull || !options.judges) return
  writeFileSync(join(import.meta.dirname, 'results.md'), text)
  writeFileSync(join(import.meta.dirname, 'results.svg'), drawChart(results))
}

function competes(work: Work, name: string): boolean {
  return work.contestants.some(chosen => chosen === name)
}

function competing(work: Work): Running[] {
  return running.filter(({ name }) => competes(work, name))
}
