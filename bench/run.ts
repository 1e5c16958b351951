// Measures the store beside the machine's limit, the same stack by the book, and its peers, all in one run.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Contestant, contestants, type Running, startContestant } from './contestants.ts'
import { checkEquality } from './equality.ts'
import { type Ground, layGround } from './ground.ts'
import { type Cell, measure } from './measure.ts'
import { readOptions } from './options.ts'
import { type Work, works } from './works.ts'

const options = readOptions(process.argv.slice(2))
const say = (line: string) => console.log(line)

say(`Filling PostgreSQL with ${options.size.pets} pets of ${options.size.projects} projects.`)
const ground = await layGround(options.size)
const running: Running[] = []
try {
  const chosen = options.names.map(name => works[name] as Work)
  const needed = contestants.filter(
    ({ name }) => chosen.some(work => work.contestants.includes(name)) && !options.without.includes(name),
  )
  for (const contestant of needed as Contestant[]) {
    running.push(await startContestant(contestant, ground))
    say(`Started ${contestant.name}.`)
  }
  for (const work of chosen) {
    const compared = await checkEquality(work, competing(work), ground)
    say(`${work.title}: ${compared} answers compared, all equal.`)
  }
  if (!options.equalityOnly) await time(chosen, ground)
} finally {
  await Promise.all(running.map(contestant => contestant.stop()))
  await ground.stop()
}

function competing(work: Work): Running[] {
  return running.filter(({ name }) => work.contestants.some(chosen => chosen === name))
}

async function time(chosen: Work[], ground: Ground): Promise<Map<Work, Map<string, Cell[]>>> {
  const results = new Map<Work, Map<string, Cell[]>>()
  for (const work of chosen) {
    const cells = new Map<string, Cell[]>(competing(work).map(({ name }) => [name, []]))
    const asked = new Map<string, number>()
    for (let round = 0; round < options.pace.rounds; round++) {
      // Each round begins with another contestant, so that none always follows the same one.
      const order = competing(work)
      order.push(...order.splice(0, round % order.length))
      for (const contestant of order) {
        const from = asked.get(contestant.name) ?? 0
        const measured = await measure(work, contestant, ground, options.pace, from)
        asked.set(contestant.name, from + measured.asked)
        cells.get(contestant.name)?.push(measured.cell)
        const { perSecond, p50, p99, cpuMicroseconds } = measured.cell
        say(
          `${work.title}, ${contestant.name}: ${perSecond.toFixed(0)}/s, p50 ${p50}, p99 ${p99}, cpu ${cpuMicroseconds.toFixed(0)}`,
        )
      }
    }
    results.set(work, cells)
  }
  return results
}
