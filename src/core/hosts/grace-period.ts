import { Prisma } from '../../generated/prisma/client.ts'
import type { Db } from '../db.ts'
import { includesDomains, plansWithoutDomains } from '../projects/plans.ts'
import { graceMs } from './dns-check-schedule.ts'

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
  // What was not renewed meanwhile is due at once, in the same statement, so that no process ends between the two.
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

/** The project's own hosts are served no more: its plan has none, and the time of grace is over. */
export function isGraceOver(planName: string, graceEndsAt: Date | null, now: number): boolean {
  return !includesDomains(planName) && graceEndsAt !== null && graceEndsAt.getTime() <= now
}

/** `isGraceOver` in SQL, of a project `p`. */
export const graceIsOver = (now: Date) =>
  Prisma.sql`(p.plan IN (${Prisma.join(plansWithoutDomains)}) AND coalesce(p.domains_grace_ends_at <= ${now}::timestamptz, false))`

/** Whether the name is owned by a project whose grace is over, so that a certificate for it would serve nobody. */
export async function isGraceOverFor(db: Db, now: Date, name: string): Promise<boolean> {
  const project = { planName: { in: plansWithoutDomains }, domainsGraceEndsAt: { lte: now } }
  return (await db.domain.count({ where: { ownedName: name, project } })) > 0
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
