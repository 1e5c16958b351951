import { manage } from '../core/acts.ts'
import { noTurn } from '../core/certificates/authority-turns.ts'
import { type CertificateProblem, noOrder } from '../core/certificates/certificates.ts'
import { noProject } from '../database/owner.ts'
import { type Certificate, Prisma, type PrismaClient } from '../generated/prisma/client.ts'
import type { Clock } from '../tools/clock.ts'
import { nextTryAt } from './renewal-time.ts'

/** Thrown if another process has leased the certificate, or no project needs it any more. */
export class LeaseLost extends Error {}

export type Lease = {
  name: string
  read(): Promise<Certificate>
  /** Writes to the row and extends the lease. */
  save(data: Prisma.CertificateUpdateManyMutationInput): Promise<void>
  /** Writes to the row and releases the lease. */
  finish(data: Prisma.CertificateUpdateManyMutationInput): Promise<void>
  /** Ends an attempt that failed for another reason than a refusal by the authority, and releases the lease. */
  giveUp(problem: CertificateProblem): Promise<void>
  keepIssued(data: Prisma.CertificateUpdateManyMutationInput): Promise<void>
  /** Releases the lease, so that any process can take the next step. */
  letGo(): Promise<void>
  /** Returns when the next step is due; null until a write has set this time. */
  dueAt(): Date | null
}

// Longer than any step of an order takes, so that a running process does not lose its lease.
const leaseMs = 120_000

export type LeasedName = { name: string; leasedUntil: Date; projectId: number | null }

/** Number of jobs of each project that run in this process. */
export type HeldPlaces = ReadonlyMap<number | null, number>

/** Limits the jobs of one project, so that its slow orders leave places for other projects. */
const mostPlacesOfAProject = 3
/** The claim sorts at most this many rows by project, even if more are due after an outage. */
const longestDue = 1_000

/**
 * Leases certificates whose next step is due, in turns by project: the first of each project, then the second of each.
 * The conditional update gives each certificate to exactly one process.
 */
export async function claimDueCertificates(
  db: PrismaClient,
  clock: Clock,
  most: number,
  held: HeldPlaces = new Map(),
): Promise<LeasedName[]> {
  const now = new Date(clock.now())
  const leased: LeasedName[] = []
  for (const { name, nextStepAt, projectId } of await findDue(db, now, most, held)) {
    const leasedUntil = new Date(clock.now() + leaseMs)
    const { count } = await db.certificate.updateMany({
      where: { name, nextStepAt, OR: [{ leasedUntil: null }, { leasedUntil: { lte: now } }] },
      data: { leasedUntil },
    })
    if (count > 0) leased.push({ name, leasedUntil, projectId })
  }
  return leased
}

type Due = { name: string; nextStepAt: Date; projectId: number | null }

/** Finds due certificates. Uses SQL, because Prisma cannot number rows by project. */
function findDue(db: PrismaClient, now: Date, most: number, held: HeldPlaces): Promise<Due[]> {
  // All names without a project share the limit of one project.
  const ids = [...held.keys()].map(id => id ?? noProject)
  return db.$queryRaw<Due[]>`
    WITH held AS (
      SELECT * FROM unnest(${ids}::int[], ${[...held.values()]}::int[]) AS held (project_id, places)
    ), due AS (
      SELECT c.name, c.next_step_at, d.project_id, coalesce(held.places, 0) AS places
      FROM "certificates" c
        LEFT JOIN "domains" d ON d.owned_name = c.name
        LEFT JOIN held ON held.project_id = coalesce(d.project_id, ${noProject})
      WHERE c.next_step_at <= ${now} AND (c.leased_until IS NULL OR c.leased_until <= ${now})
        AND coalesce(held.places, 0) < ${mostPlacesOfAProject}
      ORDER BY c.next_step_at LIMIT ${longestDue}
    ), turns AS (
      SELECT *, places + row_number() OVER (PARTITION BY project_id ORDER BY next_step_at) AS turn FROM due
    )
    SELECT name, next_step_at AS "nextStepAt", project_id AS "projectId" FROM turns
    WHERE turn <= ${mostPlacesOfAProject} ORDER BY turn, next_step_at LIMIT ${most}`
}

/**
 * Opens a lease. Each write updates the row only if `leased_until` in the row is still the end of our lease. If another
 * process has leased the row, `leased_until` differs, and the write throws LeaseLost.
 */
export function openLease(db: PrismaClient, clock: Clock, name: string, leasedUntil: Date): Lease {
  let until = leasedUntil
  let dueAt: Date | null = null

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
    if (data.nextStepAt instanceof Date) dueAt = data.nextStepAt
  }
  /**
   * A change that reports a problem also writes an event, in the same transaction. Other changes need only one
   * statement.
   */
  const writeNow = (data: Prisma.CertificateUpdateManyMutationInput, next: Date | null) =>
    data.problem ? manage(db, tx => write(tx, data, next)) : write(db, data, next)
  const read = async () => {
    const row = await db.certificate.findFirst({ where: { name, leasedUntil: until } })
    if (!row) throw new LeaseLost()
    return row
  }

  return {
    name,
    read,
    save: data => writeNow(data, new Date(Math.max(until.getTime() + 1, clock.now() + leaseMs))),
    finish: data => writeNow(data, null),
    letGo: () => writeNow({ nextStepAt: new Date(clock.now()) }, null),
    dueAt: () => dueAt,
    async giveUp(problem) {
      const { attempts } = await read()
      await writeNow({ problem, attempts: attempts + 1, nextStepAt: nextTryAt(clock, attempts) }, null)
    },
    keepIssued: data =>
      manage(db, async tx => {
        const done = {
          ...noOrder,
          ...noTurn,
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
