import { AsyncLocalStorage } from 'node:async_hooks'

/** The owner of work without a project: background jobs, operators, look-ups of keys and hosts. Project ids begin at 1. */
export const nobody = 0

const owners = new AsyncLocalStorage<number>()

/** Runs the work on behalf of a project: its statements take places of this project's share. */
export const runFor = <Result>(owner: number, work: () => Result): Result => owners.run(owner, work)

/** The project on whose behalf the current code runs. */
export const ownerNow = (): number => owners.getStore() ?? nobody
