// `npm run faults` causes faults under load, one after the other, and prints what clients and operators saw.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine } from '../../bench/machine.ts'
import { hasFailed } from './fault.ts'
import { faults, faultsByPart } from './faults.ts'
import { readRuns, runHistory, storeRun } from './history/run-history.ts'
import { playAll } from './play-all.ts'
import { type Results, writeReport } from './report.ts'

const written = [':!test/faults/results.json', ':!test/faults/history/results.json']
const ran = ['src', 'deploy', 'prisma', 'test', 'package-lock.json', ...written]
const resultsFile = join(import.meta.dirname, 'results.json')

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    /**
     * With --only, `npm run faults` writes the results of the chosen faults into docs/faults.md only if --write is
     * given. With --history, `npm run faults` writes the result only if --write is given and --only is not given.
     */
    write: { type: 'boolean', default: false },
    /** Minutes of random faults, after which the history of all calls is judged. */
    history: { type: 'string' },
    /** Chooses the random faults. */
    seed: { type: 'string', default: '1' },
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
if (values.history !== undefined) {
  const run = await runHistory(Number(values.history), Number(values.seed), names ?? null, commit())
  if (values.write && !names) {
    storeRun(run)
    writeDocument(JSON.parse(readFileSync(resultsFile, 'utf8')))
  }
  process.exit(run.violations > 0 ? 1 : 0)
}
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
  const results: Results = names ? JSON.parse(readFileSync(resultsFile, 'utf8')) : {}
  for (const { fault, checks, seconds } of outcomes) {
    results[fault.name] = { checks, seconds, commit: ranOn, machine: describeMachine() }
  }
  writeFileSync(resultsFile, `${JSON.stringify(results, null, 2)}\n`)
  writeDocument(results)
}
process.exit(failed.length > 0 || !isOneCommit ? 1 : 0)

/** Returns the commit of the code, with "and changes" if files have changed since. */
function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
  const isChanged = git('status', '--porcelain', '--', ...ran) !== ''
  return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' and changes' : ''}`
}

function writeDocument(results: Results): void {
  const text = writeReport(faultsByPart, results, readRuns())
  writeFileSync(join(import.meta.dirname, '../../docs/faults.md'), text)
}
