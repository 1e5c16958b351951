import type { Logger } from '../tools/log.ts'
import type { ChangesCounts } from '../tools/metrics.ts'
import {
  allInForce,
  beginEra,
  type Change,
  howToRepair,
  noSnapshot,
  type Reading,
  readLog,
  type State,
  sweepLog,
} from './change-log.ts'
import type { Database } from './database.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { Line } from './statements.ts'

/** Follows the log of changes, to invalidate caches in memory. */
export type Changes = {
  /**
   * Calls the listener once for each change, soon after its commit. A null change means that every cache must be
   * cleared.
   */
  follow(listener: Listener): void
  /** True if the last successful read of the log began within this time. Otherwise do not use a cache. */
  isTrusted(withinMs: number): boolean
  /** Reads the log once, now or after the read that is in progress. Rejects if the log cannot be read. */
  read(): Promise<void>
  start(): void
  close(): Promise<void>
}
/** If `change` is null, `reason` says why every cache must be cleared. */
export type Listener = (change: Change | null, reason?: string | null) => void
export type { Change }

const readEveryMs = 100
const lateMs = 250
const sweepEveryMs = 60_000

type Options = {
  database: Pick<Database, 'isEmbedded' | 'openLine' | 'outage' | 'run'>
  log: Logger
  counts: ChangesCounts
}
type Known = Reading & { state: State }

export function openChanges({ database, log, counts }: Options): Changes {
  const listeners: Listener[] = []
  let line: Line | null = null
  /**
   * The last successful read; null after a failure. The next read after a failure reports no changes, because it is
   * only the new starting point.
   */
  let last: Known | null = null
  let trustedSince = Number.NEGATIVE_INFINITY
  /** Why the log cannot be read; null if it can be read. The log has one line when a reason begins and one when it ends. */
  let obstacle: string | null = null
  let isWanted = true
  const reads = oneAtATime(readNow)
  const timers: NodeJS.Timeout[] = []

  async function readNow(): Promise<void> {
    const began = performance.now()
    try {
      line ??= await database.openLine()
      const reading = await readWhole(line)
      const reason = last ? whyForget(last, reading) : obstacle
      if (reason) {
        if (reason !== outageOver) log.warn(`All caches were cleared: ${reason}.`)
        counts.timesForgotten++
      }
      for (const change of last && !reason ? reading.changes : [null]) {
        for (const listener of listeners) listener(change, reason)
      }
      last = reading
      obstacle = null
      trustedSince = counts.readBeganAt = began
      if (performance.now() - began > lateMs) counts.lateReads++
    } catch (error) {
      noteObstacle(error)
      throw error
    }
  }

  async function readWhole(line: Line): Promise<Known> {
    for (const since of [last?.snapshot ?? noSnapshot, noSnapshot]) {
      const reading = await readLog(line, since)
      database.outage.noteAnswer()
      if (!allInForce(reading)) throw new TriggersOff(await howToRepair(line))
      if (isKnown(reading)) return reading
      await beginEra(line)
    }
    throw new Error('The log of changes has no state.')
  }

  function noteObstacle(error: unknown): void {
    line?.close().catch(() => {})
    line = null
    last = null
    if (error instanceof TriggersOff) {
      trustedSince = Number.NEGATIVE_INFINITY
      // The message of the error lists the statements for the repair. The message is empty if somebody has enabled the
      // triggers again since the log was read.
      const repair = error.message && ` Repair it with: ${error.message}`
      if (obstacle !== notLogged) log.error(`${whatIsOff}${repair}`)
      obstacle = notLogged
    } else if (database.outage.note(error)) {
      obstacle ??= outageOver
    } else {
      if (obstacle !== notRead)
        log.error({ error }, 'The log of changes cannot be read; nothing is cached until it can be read')
      obstacle = notRead
    }
  }

  return {
    follow(listener) {
      listeners.push(listener)
    },
    isTrusted(withinMs) {
      isWanted = true
      return performance.now() - trustedSince < withinMs
    },
    read: reads.ask,
    start() {
      const every = (ms: number, run: () => Promise<void>) =>
        timers.push(setInterval(() => run().catch(() => {}), ms).unref())
      every(readEveryMs, async () => {
        // A read of the embedded database uses CPU time of this process, so read only while some cache is in use.
        if (reads.isUnderWay() || (database.isEmbedded && !isWanted)) return
        isWanted = false
        await reads.ask()
      })
      every(sweepEveryMs, async () => {
        // While no cache of the embedded database is in use, this is the only read. It keeps the caches valid.
        if (database.isEmbedded) await reads.ask()
        await sweepLog(database)
      })
      reads.ask().catch(() => {})
    },
    async close() {
      for (const timer of timers) clearInterval(timer)
      await reads.idle()
      await line?.close().catch(() => {})
    },
  }
}

/** No line for this reason is logged here, because outage.ts logs the outage. */
const outageOver = 'the database was unavailable'
const notLogged = 'changes were not logged for a while'
/** True if rows may have changed without firing a trigger of this database. */
export const mayHavePassedTriggers = (reason: string | null = null) =>
  reason === notLogged || reason === tablesReplaced || reason === triggersTouched
const tablesReplaced = 'the tables were replaced, for example by a restore'
const triggersTouched = 'the triggers of the log of changes were changed'
const notRead = 'the log of changes could not be read for a while'
const whatIsOff =
  'Some changes of the database are not logged; nothing is cached until all changes are logged.'

class TriggersOff extends Error {}

const isKnown = (reading: Reading): reading is Known => reading.state !== null

/** Returns why the log does not continue from the last read; null if it does. */
function whyForget(last: Known, now: Known): string | null {
  if (now.state.table !== last.state.table) return tablesReplaced
  if (now.state.era !== last.state.era)
    return 'the log of changes began again, for example after a crash of PostgreSQL'
  if (now.state.serverStart !== last.state.serverStart) return 'PostgreSQL was restarted'
  if (now.triggersPrint !== last.triggersPrint) return triggersTouched
  // Two sweeps may have deleted changes that this process has not read.
  if (now.state.sweep - last.state.sweep > 1n) return 'the log of changes was not read for too long'
  return null
}
