import { recordExpiringCertificates } from '../core/certificates/expiring.ts'
import { forgetOldNotices, recordExpiringKeys, recordUsage } from '../core/events/notices.ts'
import type { LimitNotices } from '../core/projects/limit-notices.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import type { Clock } from '../tools/clock.ts'
import { atIntervals, named, type Work } from './worker.ts'

const everyMs = 10 * 60_000

/**
 * Writes the events of keys and certificates that end soon, and of finished days. Each kind is a job of its own, so that
 * the other kinds are written even if one fails. Several processes may run these jobs at once.
 */
export function recordEnds(db: PrismaClient, clock: Clock): Work<null>[] {
  const jobs = {
    'expiring keys': recordExpiringKeys,
    'expiring certificates': recordExpiringCertificates,
    'usage of finished days': recordUsage,
    'old notices': forgetOldNotices,
  }
  return Object.entries(jobs).map(([name, run]) => ({
    ...named(
      'notices',
      atIntervals(everyMs, signal => run(db, new Date(clock.now()), signal)),
    ),
    name,
  }))
}

/** Writes the events of projects that have used most of their requests of the day. */
export function recordUsedUpLimits(notices: LimitNotices): Work<null> {
  return atIntervals(1_000, async () => {
    if (notices.isDue()) await notices.write()
  })
}
