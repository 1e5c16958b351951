// `npm run hostile` plays every known attack on the service, one after the other, and prints what another client
// noticed.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine } from '../../bench/machine.ts'
import { attacks } from './attacks.ts'
import { checkOut } from './check-out.ts'
import { layGround } from './ground.ts'
import { brokenPromises, combine, measureQuiet, type Outcome, type Play, play, quietOf } from './play.ts'
import { type Results, rowOf, writeReport } from './report.ts'
import { startVictim } from './victim.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    /**
     * Attacks this old revision of the service instead of the current code. The report shows the results in the column
     * "before".
     */
    base: { type: 'string' },
    seconds: { type: 'string', default: '6' },
  },
})
const names = values.only?.split(',')
const unknown = names?.filter(name => !attacks.some(attack => attack.name === name)) ?? []
if (unknown.length > 0) {
  console.error(
    `There is no attack ${unknown.join(', ')}. There are ${attacks.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(1)
}
process.setMaxListeners(100)
const chosen = attacks.filter(({ name }) => names?.includes(name) ?? true)
const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
const isChanged = git('status', '--porcelain', '--', 'src', 'prisma', 'package-lock.json') !== ''
const commit = `${git('rev-parse', '--short', values.base ?? 'HEAD')}${isChanged && !values.base ? ' and changes' : ''}`

/**
 * The number of measurements without an attack. By default, these measurements together take half a minute. The
 * latencies under an attack are compared with the medians of the latest measurements.
 */
const mostQuiet = 5

const checkout = values.base ? checkOut(values.base) : null
const ground = await layGround(checkout?.source)
const victim = startVictim(ground)
const plays: Record<string, Play> = {}
try {
  await measureQuiet(ground, victim, 5_000)
  const ms = Number(values.seconds) * 1_000
  const quietMeasurements: Outcome[] = []
  while (quietMeasurements.length < mostQuiet) quietMeasurements.push(await measureQuiet(ground, victim, ms))
  let last: Play | null = null
  for (const attack of chosen) {
    const before = await measureQuiet(ground, victim, ms)
    // A request that was sent during the previous attack may fail only during this measurement, so count the wrong
    // answers of this measurement as wrong answers under the previous attack.
    last?.outcome.wrong.push(...before.wrong)
    quietMeasurements.push(before)
    const quiet = quietOf(quietMeasurements.slice(-mostQuiet))
    const outcomes = [await play(attack, ground, victim, ms)]
    // Play an attack with too high a p99 twice more, and use the median p99. The p99 of a play of six seconds is about
    // the eighth slowest answer, so two short pauses of the machine, each of which delays several answers, can make the
    // p99 too high.
    if (brokenPromises({ quiet, outcome: combine(outcomes) }).includes('p99')) {
      for (let n = 0; n < 2; n++) outcomes.push(await play(attack, ground, victim, ms))
      console.log(`      p99 ${outcomes.map(({ p99 }) => Math.round(p99)).join(', ')} ms`)
    }
    last = { quiet, outcome: combine(outcomes) }
    plays[attack.name] = last
    console.log(rowOf(attack, last))
  }
  write()
} finally {
  await victim.stop()
  await ground.stop()
  checkout?.remove()
}
process.exit(0)

function write(): void {
  for (const attack of chosen) {
    const played = plays[attack.name]
    for (const wrong of played?.outcome.wrong.slice(0, 4) ?? []) console.log(`${attack.name}: ${wrong}`)
  }
  const hurting = Object.values(plays).filter(each => brokenPromises(each).length > 0).length
  console.log(`${chosen.length - hurting} of ${chosen.length} attacks hurt nobody on ${commit}.`)
  if (names) return
  const file = join(import.meta.dirname, 'results.json')
  const results: Results = JSON.parse(readFileSync(file, 'utf8'))
  results[values.base ? 'before' : 'now'] = { commit, machine: describeMachine(), plays }
  writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`)
  writeFileSync(join(import.meta.dirname, '../../docs/hostile.md'), writeReport(attacks, results))
}
