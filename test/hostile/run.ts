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
import { brokenPromises, combine, measureQuiet, openQuiet, type Play, play } from './play.ts'
import { type Results, rowOf, writeReport } from './report.ts'
import { startVictim } from './victim.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    /** Plays against this other revision, and stores its figures as the ones before the change. */
    base: { type: 'string' },
    seconds: { type: 'string', default: '6' },
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

/** Measurements of the victim without an attack that are pooled: half a minute. */
const pooled = 5

const checkout = values.base ? checkOut(values.base) : null
const ground = await layGround(checkout?.source)
const victim = startVictim(ground)
const plays: Record<string, Play> = {}
try {
  await measureQuiet(ground, victim, 5_000)
  const ms = Number(values.seconds) * 1_000
  const quiet = openQuiet(ground, victim, ms, pooled)
  for (let n = 1; n < pooled; n++) await quiet.measure()
  for (const attack of chosen) {
    const playOnce = async () => ({
      quiet: await quiet.measure(),
      outcome: await play(attack, ground, victim, ms),
    })
    const first = await playOnce()
    // The p99 of a few seconds is the seventh slowest answer, so one pause of the machine decides it.
    const isRepeated = brokenPromises(first).includes('p99')
    const all = isRepeated ? [first, await playOnce(), await playOnce()] : [first]
    if (isRepeated)
      console.log(
        `      p99 ${all.map(({ outcome, quiet }) => `${Math.round(outcome.p99)} (quiet ${Math.round(quiet.p99)})`).join(', ')}`,
      )
    const combined = combine(all)
    plays[attack.name] = combined
    const broken = brokenPromises(combined)
    console.log(`${broken.length > 0 ? 'HURTS' : 'kept '} ${rowOf(attack, combined)} ${broken.join(', ')}`)
    const { wrong } = combined.outcome
    if (wrong.length > 0) console.log(`      ${wrong.slice(0, 4).join('; ')}`)
  }
  write()
} finally {
  await victim.stop()
  await ground.stop()
  checkout?.remove()
}
process.exit(0)

function write(): void {
  const hurt = Object.values(plays).filter(play => brokenPromises(play).length > 0).length
  console.log(`${chosen.length - hurt} of ${chosen.length} attacks hurt nobody on ${commit}.`)
  if (names && !values.write) return
  const file = join(import.meta.dirname, 'results.json')
  const results: Results = JSON.parse(readFileSync(file, 'utf8'))
  const side = values.base ? 'before' : 'now'
  const others = names ? results[side]?.plays : {}
  results[side] = { commit, machine: describeMachine(), plays: { ...others, ...plays } }
  writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`)
  writeFileSync(join(import.meta.dirname, '../../docs/hostile.md'), writeReport(attacks, results))
}
