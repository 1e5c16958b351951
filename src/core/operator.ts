import type { PrismaClient } from '../generated/prisma/client.ts'
import type { Clock } from '../tools/clock.ts'
import { type IssuedApiKey, issueApiKey, scopes } from './api-keys.ts'
import type { Db } from './db.ts'
import { type Fault, invalidInput, StoreError } from './errors.ts'
import { type Limits, type Project, toProject } from './projects.ts'
import { isStorable, judgeText } from './text.ts'

export type NewProject = { slug: string; name: string | null; planName: string; limits: Limits | null }

const slugShape = /^[a-z](?:[a-z0-9]|-(?!-)){1,38}[a-z0-9]$/
const withPlan = { include: { plan: true } } as const

/** A project and its first key, which can do everything in it. */
export function createProject(
  db: PrismaClient,
  clock: Clock,
  input: NewProject,
): Promise<{ project: Project; owner: IssuedApiKey }> {
  const name = judgeText('name', input.name ?? input.slug, 100)
  const faults = [...(name.fault ? [name.fault] : []), ...faultsOfLimits(input.planName, input.limits)]
  if (!slugShape.test(input.slug)) {
    const message =
      'must be 3 to 40 lower-case letters, digits and single inner hyphens, starting with a letter'
    faults.unshift({ field: 'slug', message })
  }
  if (faults.length > 0) throw invalidInput(faults)

  return db.$transaction(async tx => {
    const data = { slug: input.slug, name: name.text, ...planColumns(input.planName, input.limits) }
    const [created] = await tx.project.createManyAndReturn({ data, skipDuplicates: true, ...withPlan })
    if (!created) throw new StoreError('project_exists', `There is a project ${input.slug} already.`)
    const project = toProject(created)
    return { project, owner: await issueApiKey(tx, clock, project, { name: 'Owner', scopes }) }
  })
}

/** Projects by age; `after` is the id of the last one on the page before. */
export async function listProjects(
  db: Db,
  page: { limit: number; after: number | null },
): Promise<{ projects: Project[]; hasMore: boolean }> {
  if (page.limit < 1 || page.limit > 100) {
    throw invalidInput([{ field: 'first', message: 'must be a whole number from 1 to 100' }])
  }
  const rows = await db.project.findMany({
    where: page.after === null ? {} : { id: { gt: page.after } },
    orderBy: { id: 'asc' },
    take: page.limit + 1,
    ...withPlan,
  })
  return { projects: rows.slice(0, page.limit).map(toProject), hasMore: rows.length > page.limit }
}

export async function findProject(db: Db, slug: string): Promise<Project> {
  const row = isStorable(slug) ? await db.project.findUnique({ where: { slug }, ...withPlan }) : null
  if (!row) throw new StoreError('project_not_found', `There is no project ${slug}.`)
  return toProject(row)
}

/** What a project owns, by the id of the thing. */
export type Owned = { apiKeyId: string } | { domainId: string } | { deployId: number }

export async function findOwner(db: Db, owned: Owned): Promise<Project | null> {
  const where =
    'apiKeyId' in owned
      ? { apiKeys: { some: { id: owned.apiKeyId } } }
      : 'domainId' in owned
        ? { domains: { some: { id: owned.domainId } } }
        : { deploys: { some: { id: owned.deployId } } }
  const row = await db.project.findFirst({ where, ...withPlan })
  return row && toProject(row)
}

/** What the project has used already stays counted: only the numbers it is measured against change. */
export async function setPlan(
  db: Db,
  slug: string,
  planName: string,
  limits: Limits | null,
): Promise<Project> {
  const faults = faultsOfLimits(planName, limits)
  if (faults.length > 0) throw invalidInput(faults)
  const { id } = await findProject(db, slug)
  return toProject(
    await db.project.update({ where: { id }, data: planColumns(planName, limits), ...withPlan }),
  )
}

export async function suspendProject(db: Db, clock: Clock, slug: string): Promise<Project> {
  const project = await findProject(db, slug)
  if (project.suspended) return project
  const data = { suspendedAt: new Date(clock.now()) }
  return toProject(await db.project.update({ where: { id: project.id }, data, ...withPlan }))
}

export async function resumeProject(db: Db, slug: string): Promise<Project> {
  const { id } = await findProject(db, slug)
  return toProject(await db.project.update({ where: { id }, data: { suspendedAt: null }, ...withPlan }))
}

function planColumns(planName: string, limits: Limits | null) {
  return { planName, requestsPerMinute: limits?.perMinute ?? null, requestsPerDay: limits?.perDay ?? null }
}

function faultsOfLimits(planName: string, limits: Limits | null): Fault[] {
  if (planName !== 'enterprise') {
    return limits ? [{ field: 'limits', message: 'can be given on the plan enterprise alone' }] : []
  }
  if (!limits) return [{ field: 'limits', message: 'must be given on the plan enterprise' }]
  if (limits.perMinute < 1) return [{ field: 'limits.requestsPerMinute', message: 'must be at least 1' }]
  if (limits.perDay >= limits.perMinute) return []
  return [{ field: 'limits.requestsPerDay', message: 'must be no fewer than the requests per minute' }]
}
