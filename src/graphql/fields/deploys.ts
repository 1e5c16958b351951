import type { NewDeploy } from '../../core/deploys/configuration.ts'
import { type DeployOutcome, deploy, rollback, validateDeploy } from '../../core/deploys/deploys.ts'
import type { Project } from '../../core/project.ts'
import {
  type Connection,
  connectionOf,
  makeCursor,
  neighboursOf,
  readNumberCursor,
  readPage,
  requireWithin,
} from '../connection.ts'
import { type Context, managedProject } from '../context.ts'
import type {
  DeployResolvers,
  MutationResolvers,
  ProjectResolvers,
  QueryDeploysArgs,
  QueryResolvers,
} from '../generated/resolvers.ts'
import { makeId } from '../ids.ts'
import { chargeDeploy } from './charge-deploy.ts'
import { chosenProject, ownerOfDeploy } from './owning-project.ts'
import { requireProjectRead } from './people-rights.ts'

/** A deploy, and the project to which it is shown. */
export type ShownDeploy = { deploy: DeployOutcome; project: Project }

const mostDeploys = 50

export const deployQueries = {
  async deploys(_parent, args, context) {
    return pageOfDeploys(context, await managedProject(context, null, 'project:read'), args)
  },
} satisfies QueryResolvers

export async function pageOfDeploys(
  { loaders }: Context,
  project: Project,
  args: Partial<QueryDeploysArgs>,
): Promise<Connection<ShownDeploy>> {
  const query = readDeploysQuery(args, project)
  const { limit } = query
  const rows = await loaders().deploys.load({ ...query, projectId: project.id, limit: limit + 1 })
  const nodes = rows.slice(0, limit).map(deploy => ({ deploy, project }))
  if (query.isBackward) nodes.reverse()
  return connectionOf(nodes, neighboursOf(query, rows.length > limit), ({ deploy }) =>
    makeCursor('deploy', project, deploy.id ?? 0),
  )
}

export function readDeploysQuery(args: Partial<QueryDeploysArgs>, project?: Project) {
  const { limit, after, isBackward, names } = readPage(args, 20)
  requireWithin(limit, mostDeploys, names.limit)
  return { limit, isBackward, after: after ? readNumberCursor('deploy', project, after, names.after) : null }
}

export const deployMutations = {
  async deployCreate(_parent, { input: { dryRun, ...input } }, context) {
    const { db, hosting } = context.tools
    const project = await chosenProject(context, input.projectId, 'project:write')
    if (!dryRun) await chargeDeploy(context, project)
    const act = dryRun ? validateDeploy : deploy
    return { deploy: { deploy: await act(db, hosting, project, input as NewDeploy), project } }
  },

  async deployRollback(_parent, { input }, context) {
    const { db, hosting } = context.tools
    const { id, project } = await ownerOfDeploy(context, input.id, 'project:write')
    await chargeDeploy(context, project)
    return { deploy: { deploy: await rollback(db, hosting, project, id), project } }
  },
} satisfies MutationResolvers

export const Deploy = {
  id: ({ deploy }) => makeId('deploy', deploy.id ?? `dry_run_${deploy.createdAt.getTime()}`),
  state: ({ deploy }) => (deploy.succeeded ? 'succeeded' : 'failed'),
  rollbackOf: ({ deploy }) => (deploy.rollbackOfId === null ? null : makeId('deploy', deploy.rollbackOfId)),
  configuration: ({ deploy }) => deploy.configuration,
  log: ({ deploy }) => deploy.log.map(line => ({ ...line, at: new Date(line.at) })),
  createdAt: ({ deploy }) => deploy.createdAt,
  async current({ deploy, project }, _args, { loaders }) {
    return deploy.id !== null && (await loaders().currentDeploy.load(project.id))?.id === deploy.id
  },
} satisfies DeployResolvers

export const projectHosting = {
  async currentDeploy(project, _args, context) {
    requireProjectRead(context)
    const deploy = await context.loaders().currentDeploy.load(project.id)
    return deploy && { deploy, project }
  },

  domainGraceEndsAt: (project, _args, { loaders }) => loaders().graceEnd.load(project.id),
} satisfies ProjectResolvers
