import { forgetOldCreations, mostForgotten } from '../core/pets/idempotency.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import type { Clock } from '../tools/clock.ts'
import { atIntervals, type Work } from './worker.ts'

const everyMs = 10 * 60_000

/** Deletes expired idempotency keys in pieces. Several processes may run this at once. */
export function forgetIdempotencyKeys(db: PrismaClient, clock: Clock): Work<null> {
  return atIntervals(everyMs, async signal => {
    let deleted = mostForgotten
    while (deleted === mostForgotten && !signal.aborted) deleted = await forgetOldCreations(db, clock)
  })
}
