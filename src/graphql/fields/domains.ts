import { endPauses } from '../../core/certificates/authority-pauses.ts'
import {
  type AddedDomain,
  addDomain,
  findDomainById,
  mostDomains,
  noSuchDomain,
  removeDomain,
  reverifyDomain,
  verifyDomain,
} from '../../core/domains/domains.ts'
import { checkPreconditions } from '../../core/domains/preconditions.ts'
import { findDomains } from '../../core/domains/search.ts'
import { invalidInput, StoreError } from '../../core/errors.ts'
import { spellDomainName } from '../../core/hosts/names.ts'
import type { Project } from '../../core/project.ts'
import { logAct } from '../audit.ts'
import {
  type Connection,
  connectionOf,
  makeCursor,
  neighboursOf,
  readCursor,
  readPage,
  requireWithin,
} from '../connection.ts'
import { type Context, managedProject, requireOperator } from '../context.ts'
import type { MutationResolvers, QueryDomainsArgs, QueryResolvers } from '../generated/resolvers.ts'
import { makeId } from '../ids.ts'
import { chargeDeploy } from './charge-deploy.ts'
import type { ProjectDomain } from './domain-type.ts'
import { chosenProject, ownerOfDomain } from './owning-project.ts'

export const domainQueries = {
  async domains(_parent, args, context) {
    if (context.identity.kind === 'operator') return pageOfAllDomains(context, null, args)
    const project = await managedProject(context, null, 'project:read')
    const isFiltered = [args.host, args.certificate, args.name].some(Boolean)
    return isFiltered ? pageOfAllDomains(context, project, args) : pageOfDomains(context, project, args)
  },

  async domain(_parent, { name }, context) {
    return domainNamed(context, await managedProject(context, null, 'project:read'), name)
  },

  async domainPreconditions(_parent, _args, context) {
    return checkPreconditions(context.tools.db, await managedProject(context, null, 'project:read'))
  },
} satisfies QueryResolvers

const mostOfAll = 100

/** Returns a page of the domains that match the filters, of one project or of all. */
async function pageOfAllDomains(
  { tools }: Context,
  project: Project | null,
  { host, certificate, name, ...args }: Partial<QueryDomainsArgs>,
): Promise<Connection<ProjectDomain>> {
  const { limit, after, isBackward, names } = readPage(args, mostDomains)
  requireWithin(limit, project ? mostDomains : mostOfAll, names.limit)
  const list = 'filtered domain'
  const place = after ? readPlace(readCursor(list, project, after, names.after), names.after) : null
  const filters = {
    projectId: project?.id ?? null,
    host: host ?? null,
    certificate: certificate ?? null,
    name: name || null,
  }
  const page = { limit, after: place, isBackward }
  const { found, hasMore } = await findDomains(tools.db, tools.clock, filters, page)
  return connectionOf(found, neighboursOf(page, hasMore), ({ domain }) =>
    makeCursor(list, project, `${domain.name} ${domain.id}`),
  )
}

/** Parses the key in a cursor. */
function readPlace(key: string, field: string): { name: string; id: string } {
  const [, name, id] = /^([a-z0-9.-]{1,253}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(key) ?? []
  if (name && id) return { name, id }
  throw invalidInput([{ field, message: 'must be a cursor of a page of this list' }])
}

export async function pageOfDomains(
  { loaders }: Context,
  project: Project,
  args: Partial<QueryDomainsArgs>,
): Promise<Connection<ProjectDomain>> {
  const query = readDomainsQuery(args, project)
  const { limit, isBackward } = query
  const rows = await loaders().domains.load({ ...query, projectId: project.id, limit: limit + 1 })
  const nodes = rows.slice(0, limit).map(domain => ({ domain, project }))
  if (isBackward) nodes.reverse()
  return connectionOf(nodes, neighboursOf(query, rows.length > limit), ({ domain }) =>
    makeCursor('domain', project, domain.name),
  )
}

export function readDomainsQuery(args: Partial<QueryDomainsArgs>, project?: Project) {
  const { limit, after, isBackward, names } = readPage(args, mostDomains)
  requireWithin(limit, mostDomains, names.limit)
  return { limit, isBackward, after: after ? readCursor('domain', project, after, names.after) : null }
}

export async function domainNamed(
  { loaders }: Context,
  project: Project,
  name: string,
): Promise<ProjectDomain> {
  return withName('name', async () => {
    const stored = spellDomainName(name)
    const domain = await loaders().domainNamed.load({ projectId: project.id, name: stored })
    if (!domain) throw noSuchDomain(stored)
    return { domain, project }
  })
}

export const domainMutations = {
  async certificatesResume(_parent, _args, context) {
    requireOperator(context)
    const { db, clock, jobs } = context.tools
    const ended = await endPauses(db, new Date(clock.now()))
    jobs.wake('domains')
    logAct(context, 'certificates resumed', ended)
    return ended
  },

  async domainAdd(_parent, { input }, context) {
    const { db, hosting, jobs } = context.tools
    const project = await chosenProject(context, input.projectId, 'project:write')
    // The redirect of the partner is published by a deploy.
    if (input.withPartner) await chargeDeploy(context, project)
    const added = await withName<AddedDomain>('input.name', () => addDomain(db, hosting, project, input))
    jobs.wake('domains')
    // The answer promises the redirect, so wait until every process serves it.
    if (added.partner) await hosting.hosts.waitUntilForgotten()
    const { domain, partner } = added
    return { domain: { domain, project }, partner: partner && { domain: partner, project } }
  },

  async domainVerify(_parent, { input }, context) {
    const { db, hosting, jobs } = context.tools
    const { id, project } = await ownerOfDomain(context, input.id, 'project:write')
    const { name } = await findDomainById(db, project, id)
    const domain = await verifyDomain(db, hosting, project, name)
    jobs.wake('domains')
    return { domain: { domain, project } }
  },

  async domainReverify(_parent, { input }, context) {
    const { db, hosting, jobs } = context.tools
    const { id, project } = await ownerOfDomain(context, input.id, 'project:write')
    const { name } = await findDomainById(db, project, id)
    const domain = await reverifyDomain(db, hosting, project, name)
    jobs.wake('domains')
    return { domain: { domain, project } }
  },

  async domainRemove(_parent, { input }, context) {
    const { db, hosting } = context.tools
    const { id, project } = await ownerOfDomain(context, input.id, 'project:write')
    const { name } = await findDomainById(db, project, id)
    const removed = await removeDomain(db, hosting, project, name)
    // The answer promises the removal, so wait until no process serves the domain.
    await hosting.hosts.waitUntilForgotten()
    const { id: own, ...note } = removed
    return { ...note, deletedId: makeId('domain', own) }
  },
} satisfies MutationResolvers

/**
 * The core's errors for invalid input name the field `domain`. Replaces this field with `argument`, the name of the
 * GraphQL argument.
 */
async function withName<Result>(argument: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'invalid_input') throw error
    const named = (field: string) => (field === 'withPartner' ? 'input.withPartner' : argument)
    throw invalidInput(error.details.map(({ field, message }) => ({ field: named(field), message })))
  }
}
