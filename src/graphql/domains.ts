import { checkPreconditions } from '../core/domain-preconditions.ts'
import {
  type AddedDomain,
  addDomain,
  findDomain,
  listDomains,
  removeDomain,
  reverifyDomain,
  verifyDomain,
} from '../core/domains.ts'
import { invalidInput, StoreError } from '../core/errors.ts'
import { managedProject } from './context.ts'
import type { MutationResolvers, QueryResolvers } from './generated/resolvers.ts'

export const domainQueries = {
  async domains(_parent, { project: slug }, context) {
    const project = await managedProject(context, slug, 'project:read')
    return (await listDomains(context.tools.db, project)).map(domain => ({ domain, project }))
  },

  async domain(_parent, { name, project: slug }, context) {
    const { db, hosting } = context.tools
    const project = await managedProject(context, slug, 'project:read')
    return withName('name', async () => ({ domain: await findDomain(db, hosting, project, name), project }))
  },

  async domainPreconditions(_parent, { project: slug }, context) {
    return checkPreconditions(context.tools.db, await managedProject(context, slug, 'project:read'))
  },
} satisfies QueryResolvers

export const domainMutations = {
  async addDomain(_parent, { input, project: slug }, context) {
    const { db, hosting, jobs } = context.tools
    const project = await managedProject(context, slug, 'project:write')
    const added = await withName<AddedDomain>('input.name', () => addDomain(db, hosting, project, input))
    jobs.wake()
    const { domain, partner } = added
    return { domain: { domain, project }, partner: partner && { domain: partner, project } }
  },

  async verifyDomain(_parent, { name, project: slug }, context) {
    const { db, hosting, jobs } = context.tools
    const project = await managedProject(context, slug, 'project:write')
    const domain = await withName('name', () => verifyDomain(db, hosting, project, name))
    jobs.wake()
    return { domain, project }
  },

  async reverifyDomain(_parent, { name, project: slug }, context) {
    const { db, hosting, jobs } = context.tools
    const project = await managedProject(context, slug, 'project:write')
    const domain = await withName('name', () => reverifyDomain(db, hosting, project, name))
    jobs.wake()
    return { domain, project }
  },

  async removeDomain(_parent, { name, project: slug }, context) {
    const { db, hosting } = context.tools
    const project = await managedProject(context, slug, 'project:write')
    const removed = await withName('name', () => removeDomain(db, hosting, project, name))
    // The answer is a promise that nobody is served any more, by whichever process.
    await hosting.hosts.waitForAll(removed.hostsVersion)
    return removed
  },
} satisfies MutationResolvers

/** The core speaks of a `domain`; here it came in an argument with a name of its own. */
async function withName<Result>(argument: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'invalid_input') throw error
    throw invalidInput(error.details.map(({ message }) => ({ field: argument, message })))
  }
}
