import type { Logger } from '../tools/log.ts'
import { tablesReplaced, type Unavailable, whyUnavailable } from './faults.ts'

/** An outage is two lines of the log, whoever meets it first and however many do. */
export type Outage = {
  /** False for what is no outage but a mistake of our own. */
  note(error: unknown): boolean
  /** To be called again and again while the database answers: at some time nobody has met the outage for a while. */
  noteAnswer(): void
  /** Why the database cannot serve, or cannot serve everything; null while it can. */
  reason(): string | null
  /** Where the lines go, with the one that is due already. */
  tell(log: Logger): void
}

/** A disk that is full fails only who writes, a new password only who connects: between two failures others succeed. */
const quietMs = 5_000

/** `prepareAnew` is called when what was prepared is good no more. */
export function openOutage(prepareAnew = () => {}): Outage {
  let log: Logger | null = null
  let last: Unavailable | null = null
  let lastMet = 0

  const tellBeginning = ({ reason, detail }: Unavailable) =>
    log?.warn({ detail }, `The database cannot serve: ${reason}`)

  return {
    note(error) {
      const why = whyUnavailable(error)
      if (why === null) return false
      lastMet = performance.now()
      if (why.reason === tablesReplaced) prepareAnew()
      if (last === null) tellBeginning(why)
      last = why
      return true
    },
    noteAnswer() {
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
