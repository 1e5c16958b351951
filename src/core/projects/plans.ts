import type { Plan } from '../../generated/prisma/client.ts'
import type { Db } from '../db.ts'

/** All plans, smallest first. */
export function listPlans(db: Db): Promise<Plan[]> {
  return db.plan.findMany({ orderBy: { rank: 'asc' } })
}

/** Every paid plan includes custom domains. */
export const plansWithoutDomains = ['free']

export function includesDomains(planName: string): boolean {
  return !plansWithoutDomains.includes(planName)
}
