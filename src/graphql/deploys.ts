import type { NewDeploy } from '../core/deploy-configuration.ts'
import { type DeployOutcome, deploy, judgeDeploy, listDeploys, rollback } from '../core/deploys.ts'
import { invalidInput, StoreError } from '../core/errors.ts'
import type { Project } from '../core/projects.ts'
import { managedProject } from './context.ts'
import type {
  DeployResolvers,
  MutationResolvers,
  ProjectResolvers,
  QueryResolvers,
} from './generated/resolvers.ts'

/** A deploy with the project that asks for it. */
export type ShownDeploy = { deploy: DeployOutcome; project: Project }

const mostDeploys = 50

export const deployQueries = {
  async deploys(_parent, { first, after, project: slug }, context) {
    const project = await managedProject(context, slug, 'project:read')
    const limit = first ?? 20
    if (limit < 1 || limit > mostDeploys) {
      throw invalidInput([{ field: 'first', message: `must be from 1 to ${mostDeploys}` }])
    }
    const before = after ? readCursor(after) : null
    const rows = await listDeploys(context.tools.db, project, { limit: limit + 1, before })
    const nodes = rows.slice(0, limit).map(deploy => ({ deploy, project }))
    const edges = nodes.map(node => ({ node, cursor: makeCursor(node.deploy.id ?? 0) }))
    return {
      edges,
      nodes,
      pageInfo: {
        hasNextPage: rows.length > limit,
        hasPreviousPage: before !== null,
        startCursor: edges[0]?.cursor ?? null,
        endCursor: edges.at(-1)?.cursor ?? null,
      },
    }
  },
} satisfies QueryResolvers

export const deployMutations = {
  async deploy(_parent, { input, dryRun, project: slug }, context) {
    const { db, hosting } = context.tools
    const project = await managedProject(context, slug, 'project:write')
    const act = dryRun ? judgeDeploy : deploy
    return { deploy: await act(db, hosting, project, input as NewDeploy), project }
  },

  async rollback(_parent, { to, project: slug }, context) {
    const { db, hosting } = context.tools
    const project = await managedProject(context, slug, 'project:write')
    if (!/^\d{1,10}$/.test(to)) throw new StoreError('deploy_not_found', 'The project has no such deploy.')
    return { deploy: await rollback(db, hosting, project, Number(to)), project }
  },
} satisfies MutationResolvers

export const Deploy = {
  id: ({ deploy }) => (deploy.id === null ? null : String(deploy.id)),
  state: ({ deploy }) => (deploy.succeeded ? 'succeeded' : 'failed'),
  rollbackOf: ({ deploy }) => (deploy.rollbackOfId === null ? null : String(deploy.rollbackOfId)),
  configuration: ({ deploy }) => deploy.configuration,
  log: ({ deploy }) => deploy.log.map(line => ({ ...line, at: new Date(line.at) })),
  createdAt: ({ deploy }) => deploy.createdAt,
  async current({ deploy, project }, _args, { loaders }) {
    return deploy.id !== null && (await loaders.currentDeploy.load(project.id))?.id === deploy.id
  },
} satisfies DeployResolvers

export const projectHosting = {
  async currentDeploy(project, _args, { loaders }) {
    const deploy = await loaders.currentDeploy.load(project.id)
    return deploy && { deploy, project }
  },

  domainGraceEndsAt: (project, _args, { loaders }) => loaders.graceEnd.load(project.id),
} satisfies ProjectResolvers

const makeCursor = (id: number) => Buffer.from(`deploy ${id}`).toString('base64url')

function readCursor(cursor: string): number {
  const id = Number(/^deploy (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1])
  if (Number.isInteger(id) && makeCursor(id) === cursor) return id
  throw invalidInput([{ field: 'after', message: 'must be a cursor of a page of this list' }])
}
