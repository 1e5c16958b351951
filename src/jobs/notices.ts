import { recordExpiringCertificates } from '../core/certificates/expiring.ts'
import { forgetOldNotices, recordExpiringKeys, recordUsage } from '../core/events/notices.ts'
import type { LimitNotices } from '../core/projects/limit-notices.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import type { Clock } from '../tools/clock.ts'
import { atIntervals, type Work } from './worker.ts'

const everyMs = 10 * 60_000

/** Writes the events of keys and certificates that end soon, and of finished days. Several processes may run this at once. */
export function recordEnds(db: PrismaClient, clock: Clock): Work<null> {
  return atIntervals(everyMs, async () => {
    const now = new Date(clock.now())
    await recordExpiringKeys(db, now)
    await recordExpiringCertificates(db, now)
    await recordUsage(db, now)
    await forgetOldNotices(db, now)
  })
}

/** Writes the events of projects that have used most of their requests of the day. */
export function recordUsedUpLimits(notices: LimitNotices): Work<null> {
  return atIntervals(1_000, async () => {
    if (notices.isDue()) await notices.write()
  })
}
