import { X509Certificate } from 'node:crypto'
import { type Certificate, Prisma } from '../../generated/prisma/client.ts'
import type { Db } from '../db.ts'
import type { DnsRecordFound } from '../hosts/dns-verdict.ts'
import { graceIsOver } from '../hosts/grace-period.ts'

type CertificateProblemCode =
  | 'caa_blocks'
  | 'dns_unreachable'
  | 'validation_failed'
  | 'ca_rate_limited'
  | 'ca_unreachable'
  | 'ca_refused'
  | 'too_many_orders'
  | 'key_unreadable'

export type CertificateProblem = {
  code: CertificateProblemCode | 'overdue'
  message: string
  record: DnsRecordFound | null
}

export type CertificateState = 'none' | 'issuing' | 'issued' | 'failed' | 'expiring'

const overdueMs = 30 * 60_000

/** Requests a certificate for a name. Continues with a stored one, or retries if the last attempt failed. */
export async function wantCertificate(db: Db, now: Date, name: string): Promise<void> {
  if (await addCertificate(db, now, name)) return
  // Skip certificates that a worker has leased, and certificates that are healthy.
  await db.certificate.updateMany({
    where: {
      name,
      AND: [
        { OR: [{ nextStepAt: null }, { NOT: healthy(now) }] },
        { OR: [{ leasedUntil: null }, { leasedUntil: { lte: now } }] },
      ],
    },
    data: { wantedSince: now, nextStepAt: now, problem: Prisma.DbNull },
  })
}

/** Abandons the current order, which may be stuck, and starts again, even if a worker has leased the certificate. */
export async function retryCertificate(db: Db, now: Date, name: string): Promise<void> {
  // Delete the account keys that are marked as unreadable. No process can decrypt a marked key, because a process that
  // can decrypt the key removes the mark.
  await db.acmeAccount.deleteMany({ where: { unreadableSince: { not: null } } })
  await db.certificate.updateMany({ where: { name, unreadableSince: { not: null } }, data: nothingIssued })
  if (await addCertificate(db, now, name)) return
  await db.certificate.updateMany({
    where: { name, NOT: healthy(now) },
    data: { ...noOrder, wantedSince: now, nextStepAt: now, problem: Prisma.DbNull, leasedUntil: null },
  })
}

/** Selects certificates that are valid, have no problem and no pending order. */
const healthy = (now: Date) => ({
  chain: { not: null },
  notAfter: { gt: now },
  problem: { equals: Prisma.DbNull },
  orderUrl: null,
  unreadableSince: null,
})

const nothingIssued = {
  chain: null,
  sealedKey: null,
  unreadableSince: null,
  notBefore: null,
  notAfter: null,
  renewAt: null,
}

export async function isHealthy(db: Db, now: Date, name: string): Promise<boolean> {
  return (await db.certificate.count({ where: { name, ...healthy(now) } })) > 0
}

async function addCertificate(db: Db, now: Date, name: string): Promise<boolean> {
  const data = [{ name, wantedSince: now, nextStepAt: now }]
  return (await db.certificate.createMany({ data, skipDuplicates: true })).count > 0
}

/** Clears the fields of an order that has ended or is abandoned. */
export const noOrder = { orderUrl: null, sealedOrderKey: null, orderedAt: null, orderMovedAt: null }

export async function findCertificates(db: Db, names: readonly string[]): Promise<(Certificate | null)[]> {
  const found = await db.certificate.findMany({ where: { name: { in: [...names] } } })
  return names.map(name => found.find(certificate => certificate.name === name) ?? null)
}

/**
 * Stops the renewal, even if a worker has leased the certificate. Keeps the certificate, its orders and its problems
 * for the next owner of the name, because the authority's limits count by name.
 */
export async function setCertificateAside(db: Db, name: string): Promise<void> {
  const data = { nextStepAt: null, leasedUntil: null, refusedSince: null, refusals: 0 }
  await db.certificate.updateMany({ where: { name }, data })
  await db.acmeChallenge.deleteMany({ where: { name } })
}

export function certificateStateOf(certificate: Certificate | null, now: number): CertificateState {
  if (!certificate) return 'none'
  const { notAfter, problem, unreadableSince } = certificate
  if (unreadableSince) return 'failed'
  if (notAfter && notAfter.getTime() > now) return problem ? 'expiring' : 'issued'
  return problem || notAfter ? 'failed' : 'issuing'
}

/**
 * Returns the state to show. Hides an expired certificate that was not renewed because the project's grace period is
 * over.
 */
export function shownCertificateStateOf(
  certificate: Certificate | null,
  isLetGo: boolean,
  now: number,
): CertificateState {
  const hasEnded = certificate?.notAfter && certificate.notAfter.getTime() <= now
  return hasEnded && isLetGo ? 'none' : certificateStateOf(certificate, now)
}

/**
 * The SQL of `shownCertificateStateOf`. In the query, `c` is the certificate (its columns are null if the name has no
 * certificate), and `p` is the project that owns the name.
 */
export const shownCertificateState = (now: Date) => Prisma.sql`
  CASE WHEN c.name IS NULL OR (c.not_after <= ${now}::timestamptz AND ${graceIsOver(now)}) THEN 'none'
    WHEN c.unreadable_since IS NOT NULL THEN 'failed'
    WHEN c.not_after > ${now}::timestamptz THEN CASE WHEN c.problem IS NULL THEN 'issued' ELSE 'expiring' END
    WHEN c.problem IS NOT NULL OR c.not_after IS NOT NULL THEN 'failed'
    ELSE 'issuing' END`

/**
 * Returns the problem of the last attempt. If there is no valid certificate 30 minutes after it was requested, adds
 * what users should check.
 */
export function certificateProblemOf(certificate: Certificate, now: number): CertificateProblem | null {
  if (certificate.unreadableSince) return unreadable
  const problem = certificate.problem as CertificateProblem | null
  const state = certificateStateOf(certificate, now)
  if (!['issuing', 'failed'].includes(state) || now - certificate.wantedSince.getTime() < overdueMs)
    return problem
  const advice =
    'The certificate has not appeared 30 minutes after verification: confirm that the domain still verifies, ' +
    "check that no CAA record blocks the platform's certificate authority, and choose Re-verify to start a new attempt."
  return problem
    ? { ...problem, message: `${problem.message} ${advice}` }
    : { code: 'overdue', message: advice, record: null }
}

const unreadable: CertificateProblem = {
  code: 'key_unreadable',
  message:
    'The platform cannot decrypt the private key of this certificate, so the domain has no HTTPS. Choose Re-verify to get a new certificate.',
  record: null,
}

/** Returns the issuer of a certificate: its organisation if it has one, or else its common name. */
export function issuerNameIn(chain: string): string {
  const { issuer } = new X509Certificate(chain)
  const [organisation, name] = ['O', 'CN'].map(key => new RegExp(`^${key}=(.*)$`, 'm').exec(issuer)?.[1])
  return organisation ?? name ?? issuer
}
