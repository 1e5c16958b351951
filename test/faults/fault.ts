import type { Ground, GroundPlan } from './ground.ts'
import type { Load } from './load.ts'

/** A row of docs/faults.md. */
export type Fault = {
  name: string
  /** What happens, in words. */
  what: string
  ground: GroundPlan
  /** The ground is not as before, and nothing else happens on it. */
  spoils?: true
  /** Also in the short form that `npm test` runs. */
  short?: true
  /** Why it cannot be tried on this machine; null where it can. */
  obstacle?: () => string | null
} & (UnderLoad | OfItsOwn)

export type UnderLoad = {
  /** What is promised beside what always is: no acknowledged write lost or doubled, no old answer, no 500. */
  promises: Partial<Promises>
  /** Takes the fault through, under load, until it has ended; and what it alone knows to check. */
  happen(ground: Ground, load: Load): Promise<Check[]> | Promise<void>
}

/** What brings its own load, and its own measure. */
type OfItsOwn = { expected: string; measure(ground: Ground | null): Promise<Check[]> }

export type Promises = {
  /** Whether anybody may be answered 503 meanwhile. */
  refuses: boolean
  /** Whose connections may be cut or refused: of whoever asks one process that ends, and also behind the balancer where it is killed. */
  cuts: 'nobody' | 'at the process' | 'everywhere'
  slowestMs: number
  /** What the log says, by the process that met it. */
  says: RegExp | null
  /** How many lines about this one process may write. */
  mostLines: number
  about: RegExp
  /** Lines at the level of errors: only where somebody has to mend something. */
  mostErrors: number
  /** What /readyz says meanwhile. */
  readiness: RegExp | null
  /** How many processes are silent at /livez meanwhile; as many have to be, or nothing was broken. */
  deadProcesses: number
  wellWithinMs: number
  /** How exact limits are meanwhile, or each process counting alone; null where nobody can be let in, or nothing is asked. */
  limits: 'exact' | 'alone' | null
}

export const usual: Promises = {
  refuses: false,
  cuts: 'nobody',
  // Of a database that hangs; and whatever the machine takes beside.
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

/** What was promised of one thing, and what was seen of it. */
export type Check = { kept: boolean; seen: string }
export type Outcome = { fault: Fault; checks: Check[]; seconds: number }

export const hasFailed = ({ checks }: Pick<Outcome, 'checks'>) => checks.some(({ kept }) => !kept)

/** The promises in words. */
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
