import type { Logger } from '../tools/log.ts'
import { StartRefused } from '../tools/start-refused.ts'
import { ownShareUsed, poolFull, tablesReplaced, type Unavailable, whyUnavailable } from './faults.ts'

/** Logs an outage with two lines, however many requests fail. A full pool is no outage and has its own two lines. */
export type Outage = {
  /**
   * Records an error that means an outage or a full pool. Returns false if the error means something else, such as a
   * bug.
   */
  note(error: unknown): boolean
  /** Number of statements that failed because no connection was free in time. */
  timesBusy(): number
  /** Call repeatedly while the database answers. The outage ends when no request has failed for a while. */
  noteAnswer(): void
  /** Returns why the database fails, fully or in part; null if it works. */
  reason(): string | null
  /** Sets the log, and logs an outage that has already begun. */
  logTo(log: Logger): void
}

/**
 * In milliseconds. An outage ends only when no request has failed for this time. One success does not end an outage: a
 * full disk affects only writes, and a new password affects only new connections, so some requests succeed during the
 * outage.
 */
const quietMs = 5_000
const busy = 'The database is busy: no connection of this process was free in time. The requests got 503; '
const shareLine =
  'One project used its whole share of the connections for too long. Some of its requests got 503; the other projects are served'

/** Returns the error for a start that stops waiting for the database. */
export const cannotServe = (error: unknown) =>
  new StartRefused(`The database cannot serve: ${whyUnavailable(error)?.reason}.`, { cause: error })

/**
 * Calls `prepareAgain` when the prepared statements have become invalid. If the pool is full, the log line advises
 * `remedy`.
 */
export function openOutage(
  prepareAgain = () => {},
  remedy = 'raise DATABASE_POOL_SIZE or add processes',
): Outage {
  let log: Logger | null = null
  let last: Unavailable | null = null
  let lastMet = 0
  let timesBusy = 0
  let lastBusy: number | null = null
  const busyLogged = new Set<string>()

  const logBeginning = ({ reason, detail }: Unavailable) =>
    log?.warn({ detail }, `The database cannot serve: ${reason}`)

  function noteBusy(detail: string): void {
    timesBusy++
    const line = detail.includes(ownShareUsed) ? shareLine : busy + remedy
    // In an outage, do not log that the pool is full, because the cause is that the database does not answer.
    if (!busyLogged.has(line) && last === null) log?.warn(line)
    busyLogged.add(line)
    lastBusy = performance.now()
  }

  return {
    note(error) {
      const why = whyUnavailable(error)
      if (why === null) return false
      if (why.reason === poolFull) {
        noteBusy(why.detail)
        return true
      }
      lastMet = performance.now()
      if (why.reason === tablesReplaced) prepareAgain()
      if (last === null) logBeginning(why)
      last = why
      return true
    },
    timesBusy: () => timesBusy,
    noteAnswer() {
      if (lastBusy !== null && performance.now() - lastBusy >= quietMs) {
        lastBusy = null
        busyLogged.clear()
        log?.info('The database is no longer busy')
      }
      if (last === null || performance.now() - lastMet < quietMs) return
      last = null
      log?.info('The database serves again')
    },
    reason: () => last?.reason ?? null,
    logTo(given) {
      log = given
      if (last !== null) logBeginning(last)
    },
  }
}
