import type { Db } from './db.ts'
import { graceMs } from './look-times.ts'
import { plansWithoutDomains } from './plans.ts'

/** Starts the grace time of projects that fell to a plan without domains, and ends it for those that came back. */
export async function noteGrace(db: Db, now: Date): Promise<void> {
  await db.project.updateMany({
    where: {
      planName: { in: plansWithoutDomains },
      domainsGraceEndsAt: null,
      domains: { some: { ownedName: { not: null } } },
    },
    data: { domainsGraceEndsAt: new Date(now.getTime() + graceMs) },
  })
  await db.project.updateMany({
    where: { planName: { notIn: plansWithoutDomains }, domainsGraceEndsAt: { not: null } },
    data: { domainsGraceEndsAt: null },
  })
}

/** Until when each project's domains stay served although its plan no longer includes them. */
export async function findGraceEnds(db: Db, projectIds: readonly number[]): Promise<(Date | null)[]> {
  const rows = await db.project.findMany({
    where: { id: { in: [...projectIds] } },
    select: { id: true, domainsGraceEndsAt: true },
  })
  const ends = new Map(rows.map(row => [row.id, row.domainsGraceEndsAt]))
  return projectIds.map(id => ends.get(id) ?? null)
}
