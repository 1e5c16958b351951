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
import { brokenPromises, combine, measureQuiet, type Outcome, play } from './play.ts'
import { type Results, rowOf, writeReport } from './report.ts'
import { startVictim } from './victim.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    /** Plays against this revision, and stores its figures as those of before. */
    base: { type: 'string' },
    seconds: { type: 'string', default: '6' },
    quiet: { type: 'string', default: '30' },
    write: { type: 'boolean', default: false },
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

const checkout = values.base ? checkOut(values.base) : null
const ground = await layGround(checkout?.source)
const victim = startVictim(ground)
const outcomes: Record<string, Outcome> = {}
try {
  await measureQuiet(ground, victim, 5_000)
  const quiet = await measureQuiet(ground, victim, Number(values.quiet) * 1_000)
  console.log(
    `${commit}, quiet: p50 ${quiet.p50.toFixed(1)} ms, p99 ${quiet.p99.toFixed(1)} ms, ${quiet.answers} answers`,
  )
  for (const attack of chosen) {
    const playOnce = () => play(attack, ground, victim, Number(values.seconds) * 1_000)
    const first = await playOnce()
    // The p99 of a few seconds is the slowest seven answers, so one pause of the machine decides it.
    const isRepeated = brokenPromises(first, quiet).includes('p99')
    const plays = isRepeated ? [first, await playOnce(), await playOnce()] : [first]
    if (isRepeated) console.log(`      p99 ${plays.map(({ p99 }) => `${Math.round(p99)} ms`).join(', ')}`)
    const outcome = combine(plays)
    outcomes[attack.name] = outcome
    const broken = brokenPromises(outcome, quiet)
    console.log(
      `${broken.length > 0 ? 'HURTS' : 'kept '} ${rowOf(attack, outcome, quiet)} ${broken.join(', ')}`,
    )
    if (outcome.wrong.length > 0) console.log(`      ${outcome.wrong.slice(0, 4).join('; ')}`)
  }
  write(quiet)
} finally {
  await victim.stop()
  await ground.stop()
  checkout?.remove()
}
process.exit(0)

function write(quiet: Outcome): void {
  const hurt = Object.values(outcomes).filter(outcome => brokenPromises(outcome, quiet).length > 0).length
  console.log(`${chosen.length - hurt} of ${chosen.length} attacks hurt nobody on ${commit}.`)
  if (names && !values.write) return
  const file = join(import.meta.dirname, 'results.json')
  const results: Results = JSON.parse(readFileSync(file, 'utf8'))
  const side = values.base ? 'before' : 'now'
  const others = names ? results[side]?.outcomes : {}
  results[side] = { commit, machine: describeMachine(), quiet, outcomes: { ...others, ...outcomes } }
  writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`)
  writeFileSync(join(import.meta.dirname, '../../docs/hostile.md'), writeReport(attacks, results))
}
