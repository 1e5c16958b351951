import type { Db } from '../db.ts'
import { plansWithoutDomains } from '../projects/plans.ts'

/** What waits for its record waits for the plan as well: nothing can be verified without one that has domains. */
export const maySucceed = {
  OR: [{ ownedName: { not: null } }, { project: { planName: { notIn: plansWithoutDomains } } }],
}

/** What should have been begun by now and was not: of certificates a next step, of domains a look at their records. */
export async function countDueJobs(db: Db, now: Date): Promise<{ certificate: number; domain_look: number }> {
  const isFree = { OR: [{ leasedUntil: null }, { leasedUntil: { lte: now } }] }
  const [certificate, domain_look] = await Promise.all([
    db.certificate.count({ where: { nextStepAt: { lte: now }, ...isFree } }),
    db.domain.count({ where: { nextLookAt: { lte: now }, AND: [isFree, maySucceed] } }),
  ])
  return { certificate, domain_look }
}
