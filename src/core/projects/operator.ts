import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import { manage } from '../acts.ts'
import type { Db } from '../db.ts'
import { type Fault, invalidInput, StoreError } from '../errors.ts'
import { addApiKey, type IssuedApiKey } from '../keys/api-keys.ts'
import { scopes } from '../keys/scopes.ts'
import { type Limits, type Project, toProject } from '../project.ts'
import { faultsOfSearch, isStorable, validateText } from '../text.ts'

export type NewProject = { slug: string; name: string | null; planName: string; limits: Limits | null }

const slugShape = /^[a-z](?:[a-z0-9]|-(?!-)){1,38}[a-z0-9]$/
const withPlan = { include: { plan: true } } as const

/** Creates a project and its first key, which has every scope. */
export function createProject(
  db: PrismaClient,
  clock: Clock,
  input: NewProject,
): Promise<{ project: Project; owner: IssuedApiKey }> {
  const name = validateText('name', input.name ?? input.slug, 100)
  const faults = [...(name.fault ? [name.fault] : []), ...faultsOfLimits(input.planName, input.limits)]
  if (!slugShape.test(input.slug)) {
    const message =
      'must be 3 to 40 lower-case letters, digits and single inner hyphens, starting with a letter'
    faults.unshift({ field: 'slug', message })
  }
  if (faults.length > 0) throw invalidInput(faults)

  return manage(db, async tx => {
    const data = { slug: input.slug, name: name.text, ...planColumns(input.planName, input.limits) }
    const [created] = await tx.project.createManyAndReturn({ data, skipDuplicates: true, ...withPlan })
    if (!created) throw new StoreError('project_exists', `There is a project ${input.slug} already.`)
    const project = toProject(created)
    return { project, owner: await addApiKey(tx, clock, project, { name: 'Owner', scopes }) }
  })
}

export type ProjectOrder = 'oldest' | 'newest' | 'most_used'
export type ProjectFilters = {
  /** Part of the slug or the name, case-insensitive. */
  search: string | null
  planName: string | null
  suspended: boolean | null
}
/**
 * If projects are sorted by age, `after` is the id of the last project on the previous page. If they are sorted by use,
 * the order may change between pages, so `after` is a position in the list, counted from 1. A backward page ends just
 * before `after`, instead of beginning just after it.
 */
export type ProjectPage = { order: ProjectOrder; limit: number; after: number | null; isBackward?: boolean }

const usedWithinMs = 30 * 24 * 60 * 60 * 1000

export async function listProjects(
  db: Db,
  clock: Clock,
  { search, planName, suspended }: ProjectFilters,
  page: ProjectPage,
): Promise<{ projects: Project[]; hasMore: boolean; placesBefore: number }> {
  const { limit, after, isBackward = false } = page
  if (limit < 1 || limit > 100) {
    const field = isBackward ? 'last' : 'first'
    throw invalidInput([{ field, message: 'must be a whole number from 1 to 100' }])
  }
  const faults = faultsOfSearch(search)
  if (faults.length > 0) throw invalidInput(faults)
  if (search !== null && !isStorable(search)) return { projects: [], hasMore: false, placesBefore: 0 }
  const matching = Prisma.sql`
      (${search}::text IS NULL OR position(lower(${search}) IN lower(p.slug || ' ' || p.name)) > 0)
      AND (${planName}::text IS NULL OR p.plan = ${planName})
      AND (${suspended}::boolean IS NULL OR (p.suspended_at IS NOT NULL) = ${suspended})`
  const byUse = page.order === 'most_used'
  const places = byUse ? await placesOf(db, page, matching) : { from: 0, to: limit }
  const isAscending = (page.order === 'oldest') !== isBackward
  const rest = isAscending
    ? Prisma.sql`p.id > ${after ?? 0}`
    : Prisma.sql`(${after}::int IS NULL OR p.id < ${after})`
  const since = new Date(clock.now() - usedWithinMs)
  const use = Prisma.sql`
      (SELECT coalesce(sum(requests), 0) FROM usage WHERE project_id = p.id AND day >= ${since}::date) DESC, p.id`
  const byId = isAscending ? Prisma.sql`p.id` : Prisma.sql`p.id DESC`
  const wanted = places.to - places.from
  // SQL finds the ids, because Prisma cannot sort by the use of the last days.
  const found = await db.$queryRaw<{ id: number }[]>`
    SELECT p.id FROM projects p
    WHERE ${byUse ? Prisma.sql`true` : rest} AND ${matching}
    ORDER BY ${byUse ? use : byId}
    LIMIT ${wanted + 1} OFFSET ${places.from}`
  const ids = found.slice(0, wanted).map(({ id }) => id)
  if (isBackward && !byUse) ids.reverse()
  const rows = await db.project.findMany({ where: { id: { in: ids } }, ...withPlan })
  const projects = new Map(rows.map(row => [row.id, toProject(row)]))
  const hasMore = isBackward && byUse ? places.from > 0 : found.length > wanted
  return { projects: ids.flatMap(id => projects.get(id) ?? []), hasMore, placesBefore: places.from }
}

/**
 * Returns the positions of a page of projects that are sorted by use. If the page is the last page of the list, the
 * position of its end is the number of matching projects, so counts these projects.
 */
async function placesOf(db: Db, { limit, after, isBackward }: ProjectPage, matching: Prisma.Sql) {
  if (!isBackward) return { from: after ?? 0, to: (after ?? 0) + limit }
  const count = async () => {
    const [row] = await db.$queryRaw<{ n: number }[]>`
      SELECT count(*)::int AS n FROM projects p WHERE ${matching}`
    return row?.n ?? 0
  }
  const to = after === null ? await count() : Math.max(0, after - 1)
  return { from: Math.max(0, to - limit), to }
}

export async function findProject(db: Db, slug: string): Promise<Project> {
  const row = isStorable(slug) ? await db.project.findUnique({ where: { slug }, ...withPlan }) : null
  if (!row) throw new StoreError('project_not_found', `There is no project ${slug}.`)
  return toProject(row)
}

/** The id of a key, domain or deploy whose project is to be found. */
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

/** Changes the limits. Requests counted so far stay counted. */
export async function setPlan(
  db: PrismaClient,
  slug: string,
  planName: string,
  limits: Limits | null,
): Promise<Project> {
  const faults = faultsOfLimits(planName, limits)
  if (faults.length > 0) throw invalidInput(faults)
  const { id } = await findProject(db, slug)
  const data = planColumns(planName, limits)
  return toProject(await manage(db, tx => tx.project.update({ where: { id }, data, ...withPlan })))
}

export async function suspendProject(db: PrismaClient, clock: Clock, slug: string): Promise<Project> {
  const project = await findProject(db, slug)
  if (project.suspended) return project
  const data = { suspendedAt: new Date(clock.now()) }
  const { id } = project
  return toProject(await manage(db, tx => tx.project.update({ where: { id }, data, ...withPlan })))
}

export async function resumeProject(db: PrismaClient, slug: string): Promise<Project> {
  const { id } = await findProject(db, slug)
  const data = { suspendedAt: null }
  return toProject(await manage(db, tx => tx.project.update({ where: { id }, data, ...withPlan })))
}

function planColumns(planName: string, limits: Limits | null) {
  return { planName, requestsPerMinute: limits?.perMinute ?? null, requestsPerDay: limits?.perDay ?? null }
}

function faultsOfLimits(planName: string, limits: Limits | null): Fault[] {
  if (planName !== 'enterprise') {
    return limits ? [{ field: 'limits', message: 'is allowed only on the plan enterprise' }] : []
  }
  if (!limits) return [{ field: 'limits', message: 'must be given on the plan enterprise' }]
  if (limits.perMinute < 1) return [{ field: 'limits.requestsPerMinute', message: 'must be at least 1' }]
  if (limits.perDay >= limits.perMinute) return []
  return [{ field: 'limits.requestsPerDay', message: 'must be no fewer than the requests per minute' }]
}
