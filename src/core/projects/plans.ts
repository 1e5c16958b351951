import type { Plan } from '../../generated/prisma/client.ts'
import type { Db } from '../db.ts'

/** All plans, the smallest first. */
export function listPlans(db: Db): Promise<Plan[]> {
  return db.plan.findMany({ orderBy: { rank: 'asc' } })
}

/** Custom domains come with every plan that is paid for. */
export const plansWithoutDomains = ['free']

export function includesDomains(planName: string): boolean {
  return !plansWithoutDomains.includes(planName)
}
