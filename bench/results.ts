import type { BigStoreFound } from './big-store.ts'
import type { EventsFound } from './events/measure.ts'
import type { HostsFound } from './hosts/measure.ts'
import type { ImportFound } from './import.ts'
import type { Cell } from './measure.ts'
import { median } from './median.ts'
import type { WorkName } from './works.ts'

/** The figures of each round, by contestant. */
export type Cells = Map<string, Cell[]>

/** Results of one run. A part that was not measured is absent. */
export type Results = {
  cells: Map<WorkName, Cells>
  peakMegabytes: Map<string, number>
  /** Each contestant's peak memory from its start to the end of the work. */
  peaksAfter: Map<WorkName, Map<string, number>>
  start?: { postgres: number; embeddedWarm: number; embeddedCold: number }
  /** Each round's p99, in microseconds. */
  flood?: { quiet: number[]; refused: number[]; wrongKey: number[] }
  size?: { small: number[]; large: number[] }
  soak?: { seconds: number; early: number; late: number; perSecond: number } | undefined
  bigStore?: BigStoreFound
  import?: ImportFound
  hosts?: HostsFound
  events?: EventsFound
}

export const figure = (results: Results, work: WorkName, name: string, of: keyof Cell): number =>
  median((results.cells.get(work)?.get(name) ?? []).map(cell => cell[of]))

export function ratio(results: Results, work: WorkName, name: string, to: string, of: keyof Cell): number {
  const figures = (whose: string) => (results.cells.get(work)?.get(whose) ?? []).map(cell => cell[of])
  return ratioOf(figures(name), figures(to))
}

/**
 * Divides the two figures of each round, and returns the median of the ratios. A slow phase of the machine affects both
 * figures of a round, so the ratio of the round hardly changes.
 */
export function ratioOf(figures: number[], to: number[]): number {
  return median(figures.map((figure, round) => figure / (to[round] ?? Number.NaN)))
}
