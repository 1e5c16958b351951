import { forgetOldEvents } from '../core/events/retention.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import type { Clock } from '../tools/clock.ts'
import { atIntervals, type Work } from './worker.ts'

const everyMs = 10 * 60_000

/** Deletes old events in pieces. Several processes may run this at once. */
export function forgetEvents(db: PrismaClient, clock: Clock): Work<null> {
  return atIntervals(everyMs, async signal => {
    // Start before project 0, which is the service itself.
    let after = -1
    while (!signal.aborted) {
      const piece = await forgetOldEvents(db, clock, after)
      if (piece === null || piece.last === null) return
      if (piece.deleted === 0) after = piece.last
    }
  })
}
