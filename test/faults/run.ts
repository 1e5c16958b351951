// `npm run faults` causes faults under load, one after the other, and prints what clients and operators saw.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine } from '../../bench/machine.ts'
import { hasFailed } from './fault.ts'
import { faults, faultsByPart } from './faults.ts'
import { playAll } from './play-all.ts'
import { type Results, writeReport } from './report.ts'

const written = ':!test/faults/results.json'
const ran = ['src', 'deploy', 'prisma', 'test', 'package-lock.json', written]

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    /** Also writes the results of faults chosen with --only into docs/faults.md. */
    write: { type: 'boolean', default: false },
  },
})
const names = values.only?.split(',')
const unknown = names?.filter(name => !faults.some(fault => fault.name === name)) ?? []
if (unknown.length > 0) {
  console.error(
    `There is no fault ${unknown.join(', ')}. There are ${faults.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(1)
}

process.setMaxListeners(100)
const chosen = faults.filter(({ name }) => names?.includes(name) ?? true)
const ranOn = commit()
const beganAt = performance.now()
const outcomes = await playAll(chosen, line => console.log(line))
const minutes = Math.ceil((performance.now() - beganAt) / 60_000)
const failed = outcomes.filter(hasFailed).map(({ fault }) => fault.name)
console.log(`\n${outcomes.length} of ${chosen.length} faults tried in ${minutes} minutes on ${ranOn}.`)
console.log(failed.length === 0 ? 'Nothing failed.' : `Failed: ${failed.join(', ')}.`)
const isOneCommit = commit() === ranOn
if (!isOneCommit) console.error('The commit changed meanwhile, so that nothing is written down.')

if (isOneCommit && (!names || values.write)) {
  const file = join(import.meta.dirname, 'results.json')
  const results: Results = names ? JSON.parse(readFileSync(file, 'utf8')) : {}
  for (const { fault, checks, seconds } of outcomes) {
    results[fault.name] = { checks, seconds, commit: ranOn, machine: describeMachine() }
  }
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
  writeFileSync(join(import.meta.dirname, '../../docs/faults.md'), writeReport(faultsByPart, results))
}
process.exit(failed.length > 0 || !isOneCommit ? 1 : 0)

/** Returns the commit of the code, with "and changes" if files have changed since. */
function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
  const isChanged = git('status', '--porcelain', '--', ...ran) !== ''
  return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' and changes' : ''}`
}
