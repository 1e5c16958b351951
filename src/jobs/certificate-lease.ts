import { type CertificateProblem, noOrder } from '../core/certificates/certificates.ts'
import { type Certificate, Prisma, type PrismaClient } from '../generated/prisma/client.ts'
import type { Clock } from '../tools/clock.ts'
import { nextTryAt } from './renewal-time.ts'

/** Somebody else works on the certificate now, or nobody wants it any more. */
export class LeaseLost extends Error {}

export type Lease = {
  name: string
  read(): Promise<Certificate>
  /** Writes, and holds on to the certificate for another while. */
  save(data: Prisma.CertificateUpdateManyMutationInput): Promise<void>
  /** Writes and lets go. */
  finish(data: Prisma.CertificateUpdateManyMutationInput): Promise<void>
  giveUp(problem: CertificateProblem, retryAt: Date | null): Promise<void>
  keepIssued(data: Prisma.CertificateUpdateManyMutationInput): Promise<void>
  /** Lets the next process go on at once. */
  letGo(): Promise<void>
}

// Longer than any step of an order takes, so that whoever holds it and lives never loses it.
const leaseMs = 120_000

/** Takes certificates whose next step is due; the conditional update gives each to one process alone. */
export async function claimDueCertificates(
  db: PrismaClient,
  clock: Clock,
  most: number,
): Promise<LeasedName[]> {
  const now = new Date(clock.now())
  const free = { OR: [{ leasedUntil: null }, { leasedUntil: { lte: now } }] }
  const due = await db.certificate.findMany({
    where: { nextStepAt: { lte: now }, ...free },
    orderBy: { nextStepAt: 'asc' },
    select: { name: true, nextStepAt: true },
    take: most,
  })
  const leased: LeasedName[] = []
  for (const { name, nextStepAt } of due) {
    const leasedUntil = new Date(clock.now() + leaseMs)
    const { count } = await db.certificate.updateMany({
      where: { name, nextStepAt, ...free },
      data: { leasedUntil },
    })
    if (count > 0) leased.push({ name, leasedUntil })
  }
  return leased
}

export type LeasedName = { name: string; leasedUntil: Date }

/** The end of the lease is also its proof: whoever came later wrote a later one, and then nothing here is written. */
export function openLease(db: PrismaClient, clock: Clock, name: string, leasedUntil: Date): Lease {
  let until = leasedUntil

  async function write(
    tx: Prisma.TransactionClient,
    data: Prisma.CertificateUpdateManyMutationInput,
    next: Date | null,
  ) {
    const { count } = await tx.certificate.updateMany({
      where: { name, leasedUntil: until },
      data: { ...data, leasedUntil: next },
    })
    if (count === 0) throw new LeaseLost()
    if (next) until = next
  }
  const read = async () => {
    const row = await db.certificate.findFirst({ where: { name, leasedUntil: until } })
    if (!row) throw new LeaseLost()
    return row
  }

  return {
    name,
    read,
    save: data => write(db, data, new Date(Math.max(until.getTime() + 1, clock.now() + leaseMs))),
    finish: data => write(db, data, null),
    letGo: () => write(db, { nextStepAt: new Date(clock.now()) }, null),
    async giveUp(problem, retryAt) {
      const { attempts } = await read()
      const next = nextTryAt(clock, attempts)
      const nextStepAt =
        retryAt && retryAt > next ? nextTryAt({ ...clock, now: () => retryAt.getTime() }, 0) : next
      await write(db, { problem, attempts: attempts + 1, nextStepAt }, null)
    },
    keepIssued: data =>
      db.$transaction(async tx => {
        const done = {
          ...noOrder,
          unreadableSince: null,
          problem: Prisma.DbNull,
          attempts: 0,
          failedValidations: [],
        }
        await write(tx, { ...data, ...done }, null)
        await tx.acmeChallenge.deleteMany({ where: { name } })
      }),
  }
}
