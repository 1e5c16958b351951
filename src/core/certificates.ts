import { type Certificate, Prisma } from '../generated/prisma/client.ts'
import type { Db } from './db.ts'
import type { DnsRecordFound } from './dns-verdict.ts'

type CertificateProblemCode =
  | 'caa_blocks'
  | 'dns_unreachable'
  | 'validation_failed'
  | 'ca_rate_limited'
  | 'ca_unreachable'
  | 'ca_refused'

export type CertificateProblem = {
  code: CertificateProblemCode | 'overdue'
  message: string
  record: DnsRecordFound | null
}

export type CertificateState = 'none' | 'issuing' | 'issued' | 'failed' | 'expiring'

const overdueMs = 30 * 60_000

/** Has a certificate issued for a name, or tries again at once where the last attempt failed. */
export async function wantCertificate(db: Db, now: Date, name: string): Promise<void> {
  if (await addCertificate(db, now, name)) return
  // One that somebody works on just now, and one that is in order, are left alone.
  await db.certificate.updateMany({
    where: {
      name,
      AND: [
        { OR: [{ chain: null }, { problem: { not: Prisma.DbNull } }, { notAfter: { lte: now } }] },
        { OR: [{ leasedUntil: null }, { leasedUntil: { lte: now } }] },
      ],
    },
    data: { wantedSince: now, nextStepAt: now, problem: Prisma.DbNull },
  })
}

/** Begins anew: an order under way is given up, whoever works on it, since nothing may ever come of it. */
export async function retryCertificate(db: Db, now: Date, name: string): Promise<void> {
  if (await addCertificate(db, now, name)) return
  const inOrder = {
    chain: { not: null },
    notAfter: { gt: now },
    problem: { equals: Prisma.DbNull },
    orderUrl: null,
  }
  await db.certificate.updateMany({
    where: { name, NOT: inOrder },
    data: { ...noOrder, wantedSince: now, nextStepAt: now, problem: Prisma.DbNull, leasedUntil: null },
  })
}

async function addCertificate(db: Db, now: Date, name: string): Promise<boolean> {
  const data = [{ name, wantedSince: now, nextStepAt: now }]
  return (await db.certificate.createMany({ data, skipDuplicates: true })).count > 0
}

/** What is written where an order has ended, or is to be followed no more. */
export const noOrder = { orderUrl: null, sealedOrderKey: null, orderedAt: null }

export async function findCertificates(db: Db, names: readonly string[]): Promise<(Certificate | null)[]> {
  const found = await db.certificate.findMany({ where: { name: { in: [...names] } } })
  return names.map(name => found.find(certificate => certificate.name === name) ?? null)
}

/** Ends renewal along with everything else about the name's certificate. */
export async function dropCertificate(db: Db, name: string): Promise<void> {
  await db.certificate.deleteMany({ where: { name } })
  await db.acmeChallenge.deleteMany({ where: { name } })
}

export function certificateStateOf(certificate: Certificate | null, now: number): CertificateState {
  if (!certificate) return 'none'
  const { notAfter, problem } = certificate
  if (notAfter && notAfter.getTime() > now) return problem ? 'expiring' : 'issued'
  return problem || notAfter ? 'failed' : 'issuing'
}

/** The last attempt's problem, and after 30 minutes what the specification says to look at. */
export function certificateProblemOf(certificate: Certificate, now: number): CertificateProblem | null {
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
