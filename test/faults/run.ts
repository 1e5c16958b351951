// Breaks what the service stands on, one thing after the other, under load, and tells what clients and operators saw.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine } from '../../bench/machine.ts'
import { hasFailed } from './fault.ts'
import { faults } from './faults.ts'
import { playAll } from './play-all.ts'
import { type Results, writeReport } from './report.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    /** Rows that are tried by name are shown; so they are written down as well. */
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
const outcomes = await playAll(chosen, line => console.log(line))

if (!names || values.write) {
  const file = join(import.meta.dirname, 'results.json')
  const results: Results = names ? JSON.parse(readFileSync(file, 'utf8')) : {}
  for (const { fault, checks } of outcomes) {
    results[fault.name] = { checks, commit: commit(), machine: describeMachine() }
  }
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
  writeFileSync(join(import.meta.dirname, '../../docs/faults.md'), writeReport(faults, results))
}
process.exit(outcomes.some(hasFailed) ? 1 : 0)

/** Of what ran; what was changed since then belongs to no commit. */
function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
  const isChanged = git('status', '--porcelain', '--', 'src', 'deploy', 'prisma') !== ''
  return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' and changes' : ''}`
}
