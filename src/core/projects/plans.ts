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

const streamsOfFree = 5
const moreStreams: Record<string, number> = { pro: 20, business: 100, enterprise: 100 }

/** Returns the most open streams of one key. A plan that is not listed has as many as the plan free. */
export function streamsOf(planName: string): number {
  return moreStreams[planName] ?? streamsOfFree
}

/** Returns the most open streams of all keys of one project together. */
export function projectStreamsOf(planName: string): number {
  return 20 * streamsOf(planName)
}
