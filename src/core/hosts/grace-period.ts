import { Prisma } from '../../generated/prisma/client.ts'
import type { Db } from '../db.ts'
import { includesDomains, plansWithoutDomains } from '../projects/plans.ts'
import { graceMs } from './dns-check-schedule.ts'

/** Starts the grace period of projects that moved to a plan without domains. Ends it for projects that moved back. */
export async function noteGrace(db: Db, now: Date): Promise<void> {
  await db.project.updateMany({
    where: {
      planName: { in: plansWithoutDomains },
      domainsGraceEndsAt: null,
      domains: { some: { ownedName: { not: null } } },
    },
    data: { domainsGraceEndsAt: new Date(now.getTime() + graceMs) },
  })
  // One statement ends the grace periods and makes the next step of the projects' certificates due now, so that a crash
  // cannot separate the two changes.
  await db.$executeRaw`
    WITH back AS (
      UPDATE "projects" SET domains_grace_ends_at = NULL
      WHERE plan NOT IN (${Prisma.join(plansWithoutDomains)}) AND domains_grace_ends_at IS NOT NULL
      RETURNING id
    )
    UPDATE "certificates" SET next_step_at = ${now}
    WHERE name IN (SELECT owned_name FROM "domains" WHERE project_id IN (SELECT id FROM back))
      AND next_step_at > ${now}`
}

/** True if the plan includes no domains and the grace period is over, so that custom domains are not served. */
export function isGraceOver(planName: string, graceEndsAt: Date | null, now: number): boolean {
  return !includesDomains(planName) && graceEndsAt !== null && graceEndsAt.getTime() <= now
}

/** `isGraceOver` in SQL, for a project `p`. */
export const graceIsOver = (now: Date) =>
  Prisma.sql`(p.plan IN (${Prisma.join(plansWithoutDomains)}) AND coalesce(p.domains_grace_ends_at <= ${now}::timestamptz, false))`

/** True if the grace period of the name's owner is over, so that a certificate would be useless. */
export async function isGraceOverFor(db: Db, now: Date, name: string): Promise<boolean> {
  const project = { planName: { in: plansWithoutDomains }, domainsGraceEndsAt: { lte: now } }
  return (await db.domain.count({ where: { ownedName: name, project } })) > 0
}

/** Returns the ends of the projects' grace periods, for projects whose plans no longer include domains. */
export async function findGraceEnds(db: Db, projectIds: readonly number[]): Promise<(Date | null)[]> {
  const rows = await db.project.findMany({
    where: { id: { in: [...projectIds] } },
    select: { id: true, domainsGraceEndsAt: true },
  })
  const ends = new Map(rows.map(row => [row.id, row.domainsGraceEndsAt]))
  return projectIds.map(id => ends.get(id) ?? null)
}
