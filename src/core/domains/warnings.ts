import { Prisma } from '../../generated/prisma/client.ts'
import { shownCertificateState } from '../certificates/certificates.ts'
import type { Db } from '../db.ts'
import { readableName } from '../hosts/names.ts'
import { servedState, servedUntil } from '../hosts/served-state.ts'

/** The codes of warnings, the worst first. */
export const warningCodes = [
  'lost',
  'plan_without_domains',
  'no_certificate',
  'drifted',
  'grace_period',
  'renewal_failing',
  'expiring_soon',
] as const
export type WarningCode = (typeof warningCodes)[number]

export type DomainWarning = {
  code: WarningCode
  domainId: string
  message: string
  /** End of the service or of the certificate; null if it is in the past or unknown. */
  endsAt: Date | null
}

type Row = { id: string; projectId: number; name: string; code: WarningCode; endsAt: Date | null }

const soonMs = 7 * 86_400_000

/**
 * Returns for each project the warnings about its domains, the worst first. A domain gets a warning if it is no longer
 * served, will soon stop being served, or has trouble with its certificate. Uses SQL, because Prisma has no relation
 * from a domain to its certificate. The statement returns only domains with a problem.
 */
export async function findDomainWarnings(
  db: Db,
  now: Date,
  projectIds: readonly number[],
): Promise<DomainWarning[][]> {
  // A certificate that lives only a few days always ends soon, so do not warn before its renewal is due.
  const endsSoon = Prisma.sql`c.not_after <= ${new Date(now.getTime() + soonMs)}::timestamptz
    AND coalesce(c.renew_at <= ${now}::timestamptz, true)`
  const rows = await db.$queryRaw<Row[]>`
    SELECT id, project_id AS "projectId", name, code,
      CASE WHEN code IN ('drifted', 'grace_period') THEN served_until
        WHEN code IN ('renewal_failing', 'expiring_soon') THEN not_after END AS "endsAt"
    FROM (
      SELECT d.id, d.project_id, d.name, c.not_after, ${servedUntil(now)} AS served_until,
        CASE
          WHEN d.owned_name IS NULL THEN CASE WHEN d.verified_at IS NOT NULL THEN 'lost' END
          WHEN p.suspended_at IS NOT NULL THEN NULL
          WHEN ${servedState(now)} = 'paused' THEN 'plan_without_domains'
          WHEN ${shownCertificateState(now)} = 'failed' THEN 'no_certificate'
          WHEN d.state = 'drifted' THEN 'drifted'
          WHEN ${servedUntil(now)} IS NOT NULL THEN 'grace_period'
          WHEN ${shownCertificateState(now)} = 'expiring' THEN 'renewal_failing'
          WHEN ${endsSoon} THEN 'expiring_soon'
        END AS code
      FROM "domains" d
      JOIN "projects" p ON p.id = d.project_id
      LEFT JOIN "certificates" c ON c.name = d.owned_name
      WHERE d.project_id = ANY (${[...projectIds]}::int[])
    ) AS warnings
    WHERE code IS NOT NULL
    ORDER BY array_position(${[...warningCodes]}::text[], code), name`
  return projectIds.map(id => rows.filter(({ projectId }) => projectId === id).map(toWarning))
}

function toWarning({ id, name, code, endsAt }: Row): DomainWarning {
  return {
    code,
    domainId: id,
    message: sentences[code](readableName(name), endsAt ? momentOf(endsAt) : ''),
    endsAt,
  }
}

const sentences: Record<WarningCode, (name: string, end: string) => string> = {
  lost: name => `${name} is not served any more, because its DNS record or its owner has changed.`,
  plan_without_domains: name => `${name} is not served any more, because the plan includes no domains.`,
  no_certificate: name => `${name} has no valid certificate, so browsers cannot open it over HTTPS.`,
  drifted: (name, end) =>
    `The DNS record of ${name} has changed. Correct the record: the service of the domain ends ${end ? `at ${end}` : 'when a check finds the record wrong again'}.`,
  grace_period: (name, end) => `${name} is served only until ${end}, because the plan includes no domains.`,
  renewal_failing: (name, end) =>
    `The certificate of ${name} could not be renewed so far. It is valid until ${end}.`,
  expiring_soon: (name, end) => `The certificate of ${name} is not renewed yet, and valid only until ${end}.`,
}

/** "2030-12-05 06:07 UTC" */
function momentOf(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
