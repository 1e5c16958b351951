import type { Logger } from '../tools/log.ts'
import { poolFull, tablesReplaced, type Unavailable, whyUnavailable } from './faults.ts'

/** An outage is two lines of the log, however many requests fail. A full pool is no outage, and two lines of its own. */
export type Outage = {
  /** False for an error that is neither: a mistake of our own. */
  note(error: unknown): boolean
  /** Statements that failed because no connection was free in time. */
  timesBusy(): number
  /** To be called again and again while the database answers: at some time nobody has met the outage for a while. */
  noteAnswer(): void
  /** Why the database cannot serve, or cannot serve everything; null while it can. */
  reason(): string | null
  /** Where the lines go, with the one that is due already. */
  tell(log: Logger): void
}

/** A disk that is full fails only who writes, a new password only who connects: between two failures others succeed. */
const quietMs = 5_000
const busyLine =
  'The database is busy: no connection of this process was free in time. The requests got 503; raise DATABASE_POOL_SIZE or add processes'

/** `prepareAnew` is called when what was prepared is good no more. */
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
