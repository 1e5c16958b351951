import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { playHistory } from './play-history.ts'

/** A judged history, as docs/faults.md shows it. */
export type HistoryRun = {
  seed: number
  minutes: number
  faults: number
  calls: number
  acknowledged: number
  violations: number
  commit: string
}

const file = join(import.meta.dirname, 'results.json')

export const readRuns = (): HistoryRun[] => JSON.parse(readFileSync(file, 'utf8'))

/** Runs random faults and judges the history. Returns what was found. */
export async function runHistory(
  minutes: number,
  seed: number,
  only: readonly string[] | null,
  commit: string,
): Promise<HistoryRun> {
  console.log(`Random faults of seed ${seed} for ${minutes} minutes:`)
  const { faults, calls, acknowledged, violations } = await playHistory(seed, minutes * 60_000, only, line =>
    console.log(line),
  )
  const count = (number: number) => number.toLocaleString('en')
  console.log(
    `seed ${seed}: ${faults.length} faults, ${count(calls)} answers, ${count(acknowledged)} acknowledged writes, ${violations.length} violations`,
  )
  for (const { rule, what } of violations.slice(0, 20)) console.log(`  BROKEN ${rule}: ${what}`)
  const found = { faults: faults.length, calls, acknowledged, violations: violations.length }
  return { seed, minutes, ...found, commit }
}

/** Stores the run in place of an earlier one with the same seed. */
export function storeRun(run: HistoryRun): void {
  const runs = [...readRuns().filter(({ seed }) => seed !== run.seed), run]
  runs.sort((one, other) => one.seed - other.seed)
  writeFileSync(file, `${JSON.stringify(runs, null, 2)}\n`)
}
