import { setTimeout as pause } from 'node:timers/promises'
import { forgetOldEvents } from '../core/events/retention.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import type { Clock } from '../tools/clock.ts'
import { atIntervals, type Work } from './worker.ts'

const everyMs = 10 * 60_000
const restsOfAPiece = 2
const shortestRestMs = 50

/**
 * Deletes old events in pieces. Several processes may run this at once. Rests after each piece for twice as long as the
 * piece took: the numbering of events needs the same lock, and new events should not wait for the end of the deletion.
 */
export function forgetEvents(db: PrismaClient, clock: Clock): Work<null> {
  return atIntervals(everyMs, async signal => {
    // Start before project 0, which is the service itself.
    let after = -1
    while (!signal.aborted) {
      const beganAt = performance.now()
      const piece = await forgetOldEvents(db, clock, after)
      if (piece?.last === null) return
      if (piece?.isDone) after = piece.last
      const restMs = Math.max(restsOfAPiece * (performance.now() - beganAt), shortestRestMs)
      await pause(restMs, null, { signal }).catch(() => {})
    }
  })
}
