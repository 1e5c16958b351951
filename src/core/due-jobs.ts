import type { Db } from './db.ts'

/** What should have been begun by now and was not: of certificates a next step, of domains a look at their records. */
export async function countDueJobs(db: Db, now: Date): Promise<{ certificate: number; domain_look: number }> {
  const [certificate, domain_look] = await Promise.all([
    db.certificate.count({
      where: { nextStepAt: { lte: now }, OR: [{ leasedUntil: null }, { leasedUntil: { lte: now } }] },
    }),
    db.domain.count({ where: { nextLookAt: { lte: now } } }),
  ])
  return { certificate, domain_look }
}
