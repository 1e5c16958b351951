import { Prisma } from '../../generated/prisma/client.ts'
import type { Db } from '../db.ts'
import { recordFoundByProject } from '../found-by-project.ts'
import { graceIsOver } from '../hosts/grace-period.ts'

const soonMs = 7 * 24 * 60 * 60 * 1000

/**
 * Writes one event for each used certificate that ends within seven days. A certificate with a life of a few days is
 * always within seven days of its end. Therefore the event also waits until half of the time between the planned
 * renewal and the end of the certificate has passed. If the project's grace period is over, the certificate is no
 * longer renewed and gets no event.
 */
export async function recordExpiringCertificates(db: Db, now: Date, signal: AbortSignal): Promise<void> {
  await recordFoundByProject(
    db,
    signal,
    ({ after, upTo }) => Prisma.sql`
      SELECT d.project_id, 'certificate ' || c.name || ' ' || c.not_after AS what, 'certificate.expiring' AS type,
        'domain:' || c.name AS subject, json_strip_nulls(shown_certificate(c)) AS data
      FROM certificates AS c JOIN domains AS d ON d.owned_name = c.name JOIN projects AS p ON p.id = d.project_id
      WHERE d.project_id > ${after} AND d.project_id <= ${upTo}
        AND c.not_after > ${now} AND c.not_after <= ${new Date(now.getTime() + soonMs)}
        AND coalesce(c.renew_at + (c.not_after - c.renew_at) / 2 <= ${now}, true) AND NOT ${graceIsOver(now)}`,
  )
}
