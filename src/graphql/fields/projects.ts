import { mostDomains } from '../../core/domains/domains.ts'
import { preconditionsOf } from '../../core/domains/preconditions.ts'
import { chooseForLeakedKeys } from '../../core/keys/leak-choice.ts'
import type { Limits, Project as StoredProject } from '../../core/project.ts'
import { managementPerMinute } from '../../core/projects/limits.ts'
import {
  createProject,
  listProjects,
  resumeProject,
  setPlan,
  suspendProject,
} from '../../core/projects/operator.ts'
import { includesDomains, listPlans } from '../../core/projects/plans.ts'
import { logAct } from '../audit.ts'
import { connectionOf, makeCursor, neighboursOf, readNumberCursor, readPage } from '../connection.ts'
import { managedProject, requireOperator } from '../context.ts'
import type {
  MutationResolvers,
  NewLimits,
  PlanName,
  PlanResolvers,
  ProjectResolvers,
  QueryResolvers,
} from '../generated/resolvers.ts'
import { makeId } from '../ids.ts'
import { withinInput } from '../input.ts'
import { pageOfKeys } from './api-keys.ts'
import { categoryOf, pageOfCategories } from './categories.ts'
import { pageOfDeploys } from './deploys.ts'
import type { ProjectWarning } from './domain-type.ts'
import { domainNamed, pageOfDomains } from './domains.ts'
import { orderOf, pageOfOrders } from './orders.ts'
import { chosenProject, slugOf } from './owning-project.ts'
import { requireProjectRead } from './people-rights.ts'
import { pageOfPets, petOf } from './pets.ts'
import { rateLimitOf, usageOf } from './usage.ts'

export const projectQueries = {
  caller(_parent, _args, { identity }) {
    if (identity.kind !== 'caller') return { operator: true, scopes: [], keyPrefix: null, projectSlug: null }
    const { key, project, person } = identity.caller
    return {
      operator: false,
      scopes: [...key.scopes],
      keyPrefix: person ? null : key.prefix,
      projectSlug: project.slug,
    }
  },

  project: (_parent, { slug }, context) => managedProject(context, slug, 'project:read'),

  plans: (_parent, _args, { tools }) => listPlans(tools.db),

  async projects(_parent, { search, plan, suspended, order: sort, ...args }, context) {
    requireOperator(context)
    const { db, clock } = context.tools
    const order = sort ?? 'oldest'
    const pageArgs = readPage(args, 20)
    // A cursor is valid only for the sort order that issued it.
    const list = order === 'most_used' ? 'project by use' : 'project'
    const after = pageArgs.after ? readNumberCursor(list, null, pageArgs.after, pageArgs.names.after) : null
    const page = { ...pageArgs, order, after }
    const filters = { search: search || null, planName: plan ?? null, suspended: suspended ?? null }
    const { projects, hasMore, placesBefore } = await listProjects(db, clock, filters, page)
    const rankOf = (project: StoredProject) => placesBefore + projects.indexOf(project) + 1
    return connectionOf(projects, neighboursOf(page, hasMore), project =>
      makeCursor(list, null, order === 'most_used' ? rankOf(project) : project.id),
    )
  },
} satisfies QueryResolvers

export const projectMutations = {
  async projectCreate(_parent, { input: { slug, name, plan, limits } }, context) {
    requireOperator(context)
    const { db, clock } = context.tools
    const project = { slug, name: name ?? null, planName: plan ?? 'free', limits: limitsOf(limits) }
    const created = await withinInput(() => createProject(db, clock, project))
    logAct(context, 'project created', { project: slug, plan: project.planName, limits: project.limits })
    return { project: created.project, ...created.owner }
  },

  async projectSetPlan(_parent, { input: { id, plan, limits } }, context) {
    requireOperator(context)
    const slug = slugOf(id)
    const project = await withinInput(() => setPlan(context.tools.db, slug, plan, limitsOf(limits)))
    logAct(context, 'plan set', { project: slug, plan, limits: project.limits })
    return { project }
  },

  async projectSetLeakedKeys(_parent, { input: { projectId, leakedKeys } }, context) {
    const project = await chosenProject(context, projectId, 'project:write')
    await chooseForLeakedKeys(context.tools.db, project, leakedKeys)
    return { project }
  },

  async projectSuspend(_parent, { input }, context) {
    requireOperator(context)
    const slug = slugOf(input.id)
    const project = await suspendProject(context.tools.db, context.tools.clock, slug)
    logAct(context, 'project suspended', { project: slug })
    return { project }
  },

  async projectResume(_parent, { input }, context) {
    requireOperator(context)
    const slug = slugOf(input.id)
    const project = await resumeProject(context.tools.db, slug)
    logAct(context, 'project resumed', { project: slug })
    return { project }
  },
} satisfies MutationResolvers

export const Project = {
  id: project => makeId('project', project.slug),
  plan: (project, _args, { loaders }) => loaders().plan.load(project.planName),
  limits: ({ limits, planName }) => ({
    requestsPerMinute: limits.perMinute,
    requestsPerDay: limits.perDay,
    managementPerMinute,
    domains: includesDomains(planName) ? mostDomains : 0,
  }),
  rateLimit: (project, _args, context) => rateLimitOf(context, project),
  platformHost: (project, _args, { tools }) => `${project.slug}.${tools.config.platformHost}`,
  pets: (project, args, context) => pageOfPets(context, project, args),
  pet: (project, { id }, context) => petOf(context, project, id),
  categories: (project, args, context) => pageOfCategories(context, project, args),
  category: (project, { categoryId }, context) => categoryOf(context, project, categoryId),
  orders: (project, args, context) => pageOfOrders(context, project, args),
  order: (project, { id }, context) => orderOf(context, project, id),
  apiKeys(project, args, context) {
    requireProjectRead(context)
    return pageOfKeys(context, project, args)
  },
  domains(project, args, context) {
    requireProjectRead(context)
    return pageOfDomains(context, project, args)
  },
  domain(project, { name }, context) {
    requireProjectRead(context)
    return domainNamed(context, project, name)
  },
  async domainWarnings(project, _args, context): Promise<ProjectWarning[]> {
    requireProjectRead(context)
    const warnings = await context.loaders().domainWarnings.load(project.id)
    return warnings.map(warning => ({ ...warning, project }))
  },
  domainPreconditions: async (project, _args, { loaders }) =>
    preconditionsOf(project, (await loaders().currentDeploy.load(project.id)) !== null),
  deploys(project, args, context) {
    requireProjectRead(context)
    return pageOfDeploys(context, project, args)
  },
  leakedKeys: (project, _args, { loaders }) => loaders().leakedKeys.load(project.id),
  usage(project, args, context) {
    requireProjectRead(context)
    return usageOf(context, project, args)
  },
  baseUrl: (_project, _args, { tools }) => `${tools.config.publicUrl}/v1`,
} satisfies ProjectResolvers

export const Plan = {
  id: plan => makeId('plan', plan.name),
  name: plan => plan.name as PlanName,
  customDomains: plan => includesDomains(plan.name),
} satisfies PlanResolvers

function limitsOf(limits: NewLimits | null | undefined): Limits | null {
  return limits ? { perMinute: limits.requestsPerMinute, perDay: limits.requestsPerDay } : null
}
