import type { Ground, GroundPlan } from './ground.ts'
import type { Load } from './load.ts'

/** A fault that `npm run faults` tries; docs/faults.md has a row for each fault. */
export type Fault = {
  name: string
  /** Description of the fault. */
  what: string
  ground: GroundPlan
  /** True if the services are unusable afterwards, so that the next fault gets new ones. */
  spoils?: true
  /** True if `npm test` tries it too. */
  short?: true
  /** Returns why this machine cannot cause the fault; null if it can. */
  obstacle?: () => string | null
  /** The time limit in minutes, if this fault may take longer than other faults. */
  mostMinutes?: number
} & (UnderLoad | OfItsOwn)

export type UnderLoad = {
  /** Promises of this fault. Every fault also promises no lost or doubled write, no stale answer and no 500. */
  promises: Partial<Promises>
  /** Causes the fault and waits for its end. May return further checks. */
  happen(ground: Ground, load: Load): Promise<Check[]> | Promise<void>
}

/** A fault that needs no load and makes its own checks. */
type OfItsOwn = { expected: string; measure(ground: Ground | null): Promise<Check[]> }

export type Promises = {
  /** True if clients may get 503 during the fault. */
  refuses: boolean
  /**
   * `nobody`: the fault may cut no connection. `at the process`: the fault may cut only connections of clients that ask
   * a process directly. `everywhere`: the fault may also cut connections between the balancer and a process.
   */
  cuts: 'nobody' | 'at the process' | 'everywhere'
  slowestMs: number
  /** Expected log lines of a process that the fault affects. */
  says: RegExp | null
  /** The most log lines of one process that match `about`. */
  mostLines: number
  about: RegExp
  /** The most log lines at error level. Only a fault that an operator must repair may cause any. */
  mostErrors: number
  /** Expected answer of /readyz during the fault. */
  readiness: RegExp | null
  /**
   * The number of processes that do not answer /livez during the fault. If a different number of processes is silent,
   * the check fails, because the fault did not have the intended effect.
   */
  deadProcesses: number
  wellWithinMs: number
  /**
   * `exact`: the limits are exact during the fault. `alone`: each process counts in its own memory. Null: no request
   * can be accepted, or none is sent.
   */
  limits: 'exact' | 'alone' | null
}

export const usual: Promises = {
  refuses: false,
  cuts: 'nobody',
  // The timeout for a hanging database, with a margin for a slow machine.
  slowestMs: 2_500,
  says: null,
  mostLines: 2,
  about: /./,
  mostErrors: 0,
  readiness: null,
  deadProcesses: 0,
  wellWithinMs: 3_000,
  limits: null,
}

/** The result for one promise. `seen` describes the observation for the terminal, `short` for docs/faults.md. */
export type Check = { holds: boolean; seen: string; short?: string }
export type Outcome = { fault: Fault; checks: Check[]; seconds: number }

export const hasFailed = ({ checks }: Pick<Outcome, 'checks'>) => checks.some(({ holds }) => !holds)

/** Describes the promises in words. */
export function expectedOf(fault: Fault): string {
  if ('expected' in fault) return fault.expected
  const promises = { ...usual, ...fault.promises }
  const parts = [
    promises.refuses ? 'answers or 503 with Retry-After' : 'every request answered',
    ...(promises.cuts === 'nobody' ? [] : [`connections cut ${promises.cuts}`]),
    ...(promises.limits === 'exact' ? ['limits exact'] : []),
    ...(promises.limits === 'alone' ? ['at most the limit times processes let through'] : []),
    `at most ${promises.mostLines} lines of a process${promises.says ? ', which say why' : ''}`,
    ...(promises.mostErrors > 0 ? [`${promises.mostErrors} error a process`] : []),
    ...(promises.deadProcesses > 0 ? [`${promises.deadProcesses} process silent meanwhile`] : []),
    ...(promises.readiness ? ['told by /readyz'] : []),
    `well within ${promises.wellWithinMs / 1000} s`,
  ]
  return parts.join('; ')
}
