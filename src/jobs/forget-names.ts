import { forgetNameInEntries } from '../core/people/forget-names.ts'
import { noProject } from '../database/owner.ts'
import { runPiece } from '../database/pieces.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import { atIntervals, type Work } from './worker.ts'

const everyMs = 30_000

/** Takes the names of deleted people out of the audit log in pieces. Several processes may run this at once. */
export function forgetNames(db: PrismaClient): Work<null> {
  return atIntervals(everyMs, async signal => {
    let isLeft = true
    while (isLeft && !signal.aborted) isLeft = await runPiece(noProject, () => forgetNameInEntries(db))
  })
}
