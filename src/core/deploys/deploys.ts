import { type Deploy, Prisma, type PrismaClient } from '../../generated/prisma/client.ts'
import type { Db } from '../db.ts'
import { StoreError } from '../errors.ts'
import { platformHostOf } from '../hosts/platform-host.ts'
import { type FoundId, type PageOfProject, readPagesOfProjects } from '../pages-of-projects.ts'
import type { Project } from '../project.ts'
import { changeProject } from '../project-lock.ts'
import type { DeployConfiguration, NewDeploy, Redirect } from './configuration.ts'
import { removeOldDeploys } from './room.ts'
import { type DeployLogLine, type DeployTools, validateInput } from './validate.ts'

/** The result of a deploy. A dry run has no id, because it is not recorded. */
export type DeployOutcome = Omit<Deploy, 'id' | 'configuration' | 'log'> & {
  id: number | null
  configuration: DeployConfiguration
  log: DeployLogLine[]
}

/** Publishes the project. A failed deploy is only recorded, with its reasons. */
export function deploy(
  db: PrismaClient,
  tools: DeployTools,
  project: Project,
  input: NewDeploy,
): Promise<DeployOutcome> {
  return changeProject(db, project.id, tx => publish(tx, tools, project, input, null))
}

/** Returns the result that a deploy would have, and records nothing. */
export async function validateDeploy(
  db: Db,
  tools: DeployTools,
  project: Project,
  input: NewDeploy,
): Promise<DeployOutcome> {
  const validated = await validateInput(
    db,
    tools,
    project,
    input,
    'The configuration is in order; nothing was published.',
  )
  return {
    id: null,
    ...validated,
    rollbackOfId: null,
    projectId: project.id,
    createdAt: new Date(tools.clock.now()),
  }
}

/** Publishes the configuration of an earlier deploy again. Validates it first: its domains may have been removed. */
export function rollback(
  db: PrismaClient,
  tools: DeployTools,
  project: Project,
  to: number,
): Promise<DeployOutcome> {
  return changeProject(db, project.id, async tx => {
    const known = Number.isSafeInteger(to) && to > 0 && to < 2 ** 31
    const earlier = known
      ? await tx.deploy.findFirst({ where: { id: to, projectId: project.id, succeeded: true } })
      : null
    if (!earlier) throw new StoreError('deploy_not_found', `The project has no successful deploy ${to}.`)
    return publish(tx, tools, project, outcomeOf(earlier).configuration, earlier.id)
  })
}

/** Adds a redirect to the current configuration, in the caller's transaction. Returns null if the redirect exists. */
export async function deployWithRedirect(
  tx: Db,
  tools: DeployTools,
  project: Project,
  redirect: Redirect,
): Promise<DeployOutcome | null> {
  const current = await findCurrentDeploy(tx, project)
  const configuration = current?.configuration
  const redirects = configuration?.domains.redirects ?? []
  const known = redirects.find(({ from }) => from === redirect.from)
  if (known?.to === redirect.to) return null
  const domains = {
    ...configuration?.domains,
    primary: configuration?.domains.primary ?? null,
    redirects: [...redirects, redirect],
  }
  return publish(tx, tools, project, { ...configuration, domains }, null)
}

/** Removes a domain from the current configuration; otherwise the next deploy would fail. */
export async function deployWithout(
  tx: Db,
  tools: DeployTools,
  project: Project,
  name: string,
): Promise<void> {
  const current = await findCurrentDeploy(tx, project)
  if (!current) return
  const { primary, redirects } = current.configuration.domains
  const remaining = redirects.filter(({ from, to }) => from !== name && to !== name)
  if (primary !== name && remaining.length === redirects.length) return
  const domains = {
    ...current.configuration.domains,
    primary: primary === name ? null : primary,
    redirects: remaining,
  }
  await publish(tx, tools, project, { ...current.configuration, domains }, null)
}

export async function findCurrentDeploy(db: Db, project: Pick<Project, 'id'>): Promise<DeployOutcome | null> {
  const row = await db.deploy.findFirst({
    where: { projectId: project.id, succeeded: true },
    orderBy: { id: 'desc' },
  })
  return row && outcomeOf(row)
}

export async function findDeploy(db: Db, project: Pick<Project, 'id'>, id: number): Promise<DeployOutcome> {
  const known = Number.isSafeInteger(id) && id > 0 && id < 2 ** 31
  const row = known ? await db.deploy.findFirst({ where: { id, projectId: project.id } }) : null
  if (!row) throw new StoreError('deploy_not_found', 'The project has no such deploy.')
  return outcomeOf(row)
}

/** Reads the current deploys of many projects with two queries. */
export async function findCurrentDeploys(
  db: Db,
  projectIds: readonly number[],
): Promise<(DeployOutcome | null)[]> {
  const newest = await db.deploy.groupBy({
    by: 'projectId',
    where: { projectId: { in: [...projectIds] }, succeeded: true },
    _max: { id: true },
  })
  const ids = newest.flatMap(({ _max }) => _max.id ?? [])
  const rows = await db.deploy.findMany({ where: { id: { in: ids } } })
  const found = new Map(rows.map(row => [row.projectId, outcomeOf(row)]))
  return projectIds.map(id => found.get(id) ?? null)
}

/** Lists deploys of many projects, newest first. `after` is the id of the last deploy on the previous page. */
export async function listDeploysOfProjects(
  db: Db,
  queries: readonly PageOfProject<number>[],
): Promise<DeployOutcome[][]> {
  const pages = await readPagesOfProjects(
    queries,
    (same, isBackward) => {
      const [rest, order, start] = isBackward
        ? [Prisma.sql`id > requested.after`, Prisma.sql`project_id, id`, 0]
        : [Prisma.sql`id < requested.after`, Prisma.sql`project_id DESC, id DESC`, 2 ** 31]
      return db.$queryRaw<FoundId<number>[]>`
        SELECT requested.n, found.id
        FROM unnest(
          ${same.map(({ projectId }) => projectId)}::int[],
          ${same.map(({ after }) => after ?? start)}::bigint[],
          ${same.map(({ limit }) => limit)}::int[]
        ) WITH ORDINALITY AS requested (project_id, after, most, n)
        CROSS JOIN LATERAL (
          SELECT id FROM "deploys"
          WHERE project_id = requested.project_id AND ${rest}
          ORDER BY ${order} LIMIT requested.most
        ) AS found
        ORDER BY requested.n, found.id ${isBackward ? Prisma.sql`ASC` : Prisma.sql`DESC`}`
    },
    ids => db.deploy.findMany({ where: { id: { in: ids } } }),
  )
  return pages.map(rows => rows.map(outcomeOf))
}

/** Ends the caller's transaction, which has locked the project: `removeOldDeploys` changes the actor of later acts. */
async function publish(
  tx: Db,
  tools: DeployTools,
  project: Project,
  input: NewDeploy,
  rollbackOfId: number | null,
): Promise<DeployOutcome> {
  const host = platformHostOf(project, tools.platformHost)
  const validated = await validateInput(
    tx,
    tools,
    project,
    input,
    `In service at ${host} and on the project's live domains.`,
  )
  const createdAt = new Date(tools.clock.now())
  const row = await tx.deploy.create({
    data: { projectId: project.id, ...validated, rollbackOfId, createdAt },
  })
  await removeOldDeploys(tx, project.id)
  return outcomeOf(row)
}

function outcomeOf(row: Deploy): DeployOutcome {
  return {
    ...row,
    configuration: row.configuration as DeployConfiguration,
    log: row.log as DeployLogLine[],
  }
}
