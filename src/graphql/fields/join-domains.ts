import { StoreError } from '../../core/errors.ts'
import { removeJoinDomain, setJoinDomain } from '../../core/people/join-domains.ts'
import type { Project } from '../../core/project.ts'
import { findProject } from '../../core/projects/operator.ts'
import type { JoinDomain as StoredJoinDomain } from '../../generated/prisma/client.ts'
import { type Context, storeCaller } from '../context.ts'
import type { JoinDomainResolvers, MutationResolvers, ProjectResolvers } from '../generated/resolvers.ts'
import { withinInput } from '../input.ts'
import { slugOf } from './owning-project.ts'
import { requireRights } from './people-rights.ts'

export type ShownJoinDomain = StoredJoinDomain & { project: Project }

export const joinDomainMutations = {
  async joinDomainSet(_parent, { input: { projectId, domain, role } }, context) {
    const { project, by } = await ownProject(context, projectId ?? null)
    const { db, clock, config } = context.tools
    if (!config.oidc)
      throw new StoreError(
        'precondition_failed',
        'This service has no identity provider that verifies addresses.',
      )
    const { issuer } = config.oidc
    const set = await withinInput(() => setJoinDomain(db, clock, project, { domain, role, issuer }, by))
    return { joinDomain: { ...set, project } }
  },

  async joinDomainRemove(_parent, { input: { projectId, domain } }, context) {
    const { project } = await ownProject(context, projectId ?? null)
    return { wasSet: await removeJoinDomain(context.tools.db, project, domain) }
  },
} satisfies MutationResolvers

/**
 * Returns the project that an input names. `by` is the owner who calls; null for an operator. Throws unless an owner of
 * the project or an operator calls.
 */
async function ownProject(
  context: Context,
  projectId: string | null,
): Promise<{ project: Project; by: string | null }> {
  const slug = projectId === null ? null : slugOf(projectId)
  if (context.identity.kind === 'operator') {
    if (slug === null) throw new StoreError('invalid_input', 'An operator must name a project.')
    return { project: await findProject(context.tools.db, slug), by: null }
  }
  const { project } = storeCaller(context)
  if (slug !== null && slug !== project.slug)
    throw new StoreError('project_not_found', `There is no project ${slug}.`)
  return { project, by: requireRights(context, project) }
}

export const projectJoinDomains = {
  async joinDomains(project, _args, context): Promise<ShownJoinDomain[]> {
    requireRights(context, project)
    const domains = await context.loaders().joinDomains.load(project.id)
    return domains.map(domain => ({ ...domain, project }))
  },
} satisfies ProjectResolvers

export const JoinDomain = {
  url: ({ project }, _args, { tools }) => `${tools.config.publicUrl}/dashboard/join/${project.slug}`,
} satisfies JoinDomainResolvers
