import { manage } from '../core/acts.ts'
import { forgetOldPauses } from '../core/certificates/authority-pauses.ts'
import { forgetOldCertificateOrders } from '../core/certificates/orders.ts'
import { forgetOldHeldNames } from '../core/domains/ownership.ts'
import { forgetOldDeliveries } from '../core/events/delivery-retention.ts'
import { noteGrace } from '../core/hosts/grace-period.ts'
import { forgetEnded } from '../core/people/sessions.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import type { Clock } from '../tools/clock.ts'
import { atIntervals, type Work } from './worker.ts'

const everyMs = 30_000

/** Periodic checks and deletions. Several processes may run them at once. */
export function tidy(db: PrismaClient, clock: Clock): Work<null> {
  return atIntervals(everyMs, async () => {
    const now = new Date(clock.now())
    await manage(db, tx => noteGrace(tx, now))
    await forgetOldPauses(db, now)
    await manage(db, tx => forgetOldCertificateOrders(tx, now))
    await forgetOldHeldNames(db, now)
    await forgetOldDeliveries(db, now)
    await forgetEnded(db, now)
    await db.acmeChallenge.deleteMany({ where: { expiresAt: { lte: now } } })
  })
}
