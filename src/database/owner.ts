import { AsyncLocalStorage } from 'node:async_hooks'

/** The owner of work for no project: background jobs, operators, look-ups of keys and hosts. Project ids begin at 1. */
export const nobody = 0

const owners = new AsyncLocalStorage<number>()

/** Runs the work for a project: its statements count in this project's share of the connections. */
export const runFor = <Result>(owner: number, work: () => Result): Result => owners.run(owner, work)

/** Returns the project for which the current code runs. */
export const ownerNow = (): number => owners.getStore() ?? nobody
