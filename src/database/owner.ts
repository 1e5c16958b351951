import { AsyncLocalStorage } from 'node:async_hooks'

/** The owner of work for no project: background jobs, operators, look-ups of keys and hosts. Project ids begin at 1. */
export const noProject = 0

const owners = new AsyncLocalStorage<number>()

/**
 * `owner` is the project whose work began last, at the time `at`. `anotherAt` is when work of a different project last
 * began.
 */
let last = { owner: noProject, at: Number.NEGATIVE_INFINITY, anotherAt: Number.NEGATIVE_INFINITY }

/** Runs the work for a project: its statements count in this project's share of the connections. */
export function runFor<Result>(owner: number, work: () => Result): Result {
  noteWork(owner)
  return owners.run(owner, work)
}

/** Records that work of a project begins. */
export function noteWork(owner: number): void {
  if (owner === noProject) return
  if (owner !== last.owner) last = { owner, at: 0, anotherAt: last.at }
  last.at = performance.now()
}

/**
 * Returns when work of a project other than `owner` last began in this process, in milliseconds of performance.now().
 */
export const othersBeganAt = (owner: number): number => (owner === last.owner ? last.anotherAt : last.at)

/** Returns the project for which the current code runs. */
export const ownerNow = (): number => owners.getStore() ?? noProject
