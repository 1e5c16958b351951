import type { Logger } from '../tools/log.ts'
import { poolFull, tablesReplaced, type Unavailable, whyUnavailable } from './faults.ts'

/** Logs an outage as two lines, however many requests fail. A full pool is no outage and has two lines of its own. */
export type Outage = {
  /** False for an error that is neither, such as a bug. */
  note(error: unknown): boolean
  /** Statements that failed because no connection was free in time. */
  timesBusy(): number
  /** Called repeatedly while the database answers; the outage ends when no request has met it for a while. */
  noteAnswer(): void
  /** Why the database cannot serve, or only in part; null while it can. */
  reason(): string | null
  /** Sets the log, and logs the outage that has begun already. */
  tell(log: Logger): void
}

/**
 * A full disk fails only writes, and a new password only new connections, so requests succeed between two failures.
 */
const quietMs = 5_000
const busyLine =
  'The database is busy: no connection of this process was free in time. The requests got 503; raise DATABASE_POOL_SIZE or add processes'

/** `prepareAnew` is called when the prepared statements are no longer valid. */
export function openOutage(prepareAnew = () => {}): Outage {
  let log: Logger | null = null
  let last: Unavailable | null = null
  let lastMet = 0
  let timesBusy = 0
  let lastBusy: number | null = null

  const tellBeginning = ({ reason, detail }: Unavailable) =>
    log?.warn({ detail }, `The database cannot serve: ${reason}`)

  function noteBusy(): void {
    timesBusy++
    // In an outage, connections are in use because the database does not answer.
    if (lastBusy === null && last === null) log?.warn(busyLine)
    lastBusy = performance.now()
  }

  return {
    note(error) {
      const why = whyUnavailable(error)
      if (why === null) return false
      if (why.reason === poolFull) {
        noteBusy()
        return true
      }
      lastMet = performance.now()
      if (why.reason === tablesReplaced) prepareAnew()
      if (last === null) tellBeginning(why)
      last = why
      return true
    },
    timesBusy: () => timesBusy,
    noteAnswer() {
      if (lastBusy !== null && performance.now() - lastBusy >= quietMs) {
        lastBusy = null
        log?.info('The database is no longer busy')
      }
      if (last === null || performance.now() - lastMet < quietMs) return
      last = null
      log?.info('The database serves again')
    },
    reason: () => last?.reason ?? null,
    tell(given) {
      log = given
      if (last !== null) tellBeginning(last)
    },
  }
}
