import type { Db } from '../db.ts'
import { plansWithoutDomains } from '../projects/plans.ts'

/** Skips pending domains of projects whose plan includes no domains, because these domains cannot be verified. */
export const maySucceed = {
  OR: [{ ownedName: { not: null } }, { project: { planName: { notIn: plansWithoutDomains } } }],
}

/** Counts overdue jobs: next steps of certificates and DNS checks of domains. */
export async function countDueJobs(db: Db, now: Date): Promise<{ certificate: number; domain_look: number }> {
  const isFree = { OR: [{ leasedUntil: null }, { leasedUntil: { lte: now } }] }
  const [certificate, domain_look] = await Promise.all([
    db.certificate.count({ where: { nextStepAt: { lte: now }, ...isFree } }),
    db.domain.count({ where: { nextLookAt: { lte: now }, AND: [isFree, maySucceed] } }),
  ])
  return { certificate, domain_look }
}
