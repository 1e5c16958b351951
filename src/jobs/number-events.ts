import { setTimeout as pause } from 'node:timers/promises'
import { isNumberingDue, mostNumbered, numberEvents } from '../core/events/numbering.ts'
import type { Changes } from '../database/changes.ts'
import type { Database } from '../database/database.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import type { Work } from './worker.ts'

export type EventTools = {
  db: PrismaClient
  database: Pick<Database, 'run' | 'outage' | 'isEmbedded' | 'writes'>
  changes: Changes
}

/**
 * In milliseconds: the pause after each turn. In the pause, events gather for the next turn. A turn for fifty events
 * costs as much as a turn for one event.
 */
const restMs = 50
/**
 * In milliseconds: the pause after a turn that numbered no event. Another process has the lock. This process numbers the
 * events itself, or deletes old events and then rests.
 */
const lockedMs = 200

/**
 * Gives new events their numbers. The log of changes wakes this job; the interval is for changes that were not logged.
 * Every process tries to number the events, but only the process that gets the lock does so. The embedded database has
 * no clients outside this process, so this job queries the embedded database only after a write of this process.
 */
export function giveNumbers({ db, database, changes }: EventTools): Work<null> {
  const everyMs = database.isEmbedded ? 100 : 1_000
  let writesSeen = -1
  let notBefore = 0
  return {
    everyMs,
    mostAtOnce: 1,
    async claim() {
      if (performance.now() < notBefore) return []
      const writes = database.writes()
      if (writes !== null && writes === writesSeen) return []
      if (await isNumberingDue(database)) return [null]
      writesSeen = writes ?? -1
      return []
    },
    async run(_job, signal) {
      // Wait after a failure: the worker claims again after each run.
      notBefore = performance.now() + everyMs
      let numbered = 0
      do {
        numbered = await numberEvents(db)
        // Notify the readers of this process at once. Other processes notice at their next read of the log of changes.
        if (numbered > 0) await changes.read().catch(() => {})
      } while (numbered === mostNumbered && !signal.aborted)
      notBefore = 0
      await pause(numbered > 0 ? restMs : lockedMs, null, { signal }).catch(() => {})
    },
  }
}
