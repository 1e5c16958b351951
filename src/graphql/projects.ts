import { invalidInput } from '../core/errors.ts'
import { managementPerMinute } from '../core/limits.ts'
import { createProject, listProjects, resumeProject, setPlan, suspendProject } from '../core/operator.ts'
import { includesDomains, listPlans } from '../core/plans.ts'
import type { Limits } from '../core/projects.ts'
import { managedProject, requireOperator } from './context.ts'
import type {
  MutationResolvers,
  NewLimits,
  PlanName,
  PlanResolvers,
  ProjectResolvers,
  QueryResolvers,
} from './generated/resolvers.ts'
import { withinInput } from './input.ts'

export const projectQueries = {
  caller(_parent, _args, { sender }) {
    if (sender.kind !== 'caller') return { operator: true, scopes: [], keyPrefix: null, projectSlug: null }
    const { key, project } = sender.caller
    return { operator: false, scopes: [...key.scopes], keyPrefix: key.prefix, projectSlug: project.slug }
  },

  project: (_parent, { slug }, context) => managedProject(context, slug, 'project:read'),

  plans: (_parent, _args, { tools }) => listPlans(tools.db),

  async projects(_parent, { first, after }, context) {
    requireOperator(context)
    const page = { limit: first ?? 20, after: after ? readCursor(after) : null }
    const { projects, hasMore } = await listProjects(context.tools.db, page)
    const edges = projects.map(node => ({ node, cursor: makeCursor(node.id) }))
    return {
      edges,
      nodes: projects,
      pageInfo: {
        hasNextPage: hasMore,
        hasPreviousPage: page.after !== null,
        startCursor: edges[0]?.cursor ?? null,
        endCursor: edges.at(-1)?.cursor ?? null,
      },
    }
  },
} satisfies QueryResolvers

export const projectMutations = {
  createProject(_parent, { input: { slug, name, plan, limits } }, context) {
    requireOperator(context)
    const { db, clock } = context.tools
    const project = { slug, name: name ?? null, planName: plan ?? 'free', limits: limitsOf(limits) }
    return withinInput(() => createProject(db, clock, project))
  },

  setPlan(_parent, { project, plan, limits }, context) {
    requireOperator(context)
    return setPlan(context.tools.db, project, plan, limitsOf(limits))
  },

  suspendProject(_parent, { project }, context) {
    requireOperator(context)
    return suspendProject(context.tools.db, context.tools.clock, project)
  },

  resumeProject(_parent, { project }, context) {
    requireOperator(context)
    return resumeProject(context.tools.db, project)
  },
} satisfies MutationResolvers

export const Project = {
  plan: (project, _args, { loaders }) => loaders.plan.load(project.planName),
  limits: ({ limits }) => ({
    requestsPerMinute: limits.perMinute,
    requestsPerDay: limits.perDay,
    managementPerMinute,
  }),
  platformHost: (project, _args, { tools }) => `${project.slug}.${tools.config.platformHost}`,
  baseUrl: (_project, _args, { tools }) => `${tools.config.publicUrl}/v1`,
} satisfies ProjectResolvers

export const Plan = {
  name: plan => plan.name as PlanName,
  customDomains: plan => includesDomains(plan.name),
} satisfies PlanResolvers

function limitsOf(limits: NewLimits | null | undefined): Limits | null {
  return limits ? { perMinute: limits.requestsPerMinute, perDay: limits.requestsPerDay } : null
}

const makeCursor = (id: number) => Buffer.from(`project ${id}`).toString('base64url')

function readCursor(cursor: string): number {
  const id = Number(/^project (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1])
  if (Number.isInteger(id) && makeCursor(id) === cursor) return id
  throw invalidInput([{ field: 'after', message: 'must be a cursor of a page of this list' }])
}
