import { StoreError } from '../../core/errors.ts'
import type { Caller, CallingPerson } from '../../core/keys/caller.ts'
import { scopes } from '../../core/keys/scopes.ts'
import { listMembers } from '../../core/people/members.ts'
import { onlyOwners } from '../../core/people/owner-rights.ts'
import type { Project } from '../../core/project.ts'
import { findProject } from '../../core/projects/operator.ts'
import { type Context, storeCaller } from '../context.ts'
import { readId } from '../ids.ts'
import { slugOf } from './owning-project.ts'

/** Returns the person who calls. Throws for API keys and operators. */
export function callingPerson({ identity }: Context): CallingPerson {
  const person = identity.kind === 'caller' ? identity.caller.person : undefined
  if (person) return person
  throw new StoreError('insufficient_scope', 'Only a person who is signed in may do this.')
}

/**
 * Checks that the caller may change the members of the project. Returns the id of the calling owner of the project;
 * returns null for an operator. Throws for all other callers, also for every API key.
 */
export function requireRights({ identity }: Context, project: Project): string | null {
  if (identity.kind === 'operator') return null
  const caller = identity.kind === 'caller' ? identity.caller : null
  if (caller?.project.id === project.id && caller.person?.role === 'owner') return caller.person.id
  throw onlyOwners()
}

/** Throws if the client is a key that may not read its project: a mutation with another scope returns the project too. */
export function requireProjectRead(context: Context): void {
  if (context.identity.kind !== 'operator') storeCaller(context, 'project:read')
}

export function requireOwnProject(context: Context, project: Project): void {
  if (context.identity.kind === 'operator') return
  const caller = storeCaller(context, 'project:read')
  if (caller.project.id !== project.id) throw new StoreError('project_not_found', 'There is no such project.')
}

/**
 * Returns the project to which a new invitation will belong. A key with every scope may invite the first owner, because
 * otherwise a project without members would need the operator.
 */
export async function projectToInviteTo(
  context: Context,
  projectId: string | null,
): Promise<{ project: Project; isForFirstOwner: boolean }> {
  const { identity, tools } = context
  const slug = projectId === null ? null : slugOf(projectId)
  if (identity.kind === 'operator') {
    if (slug === null) throw new StoreError('invalid_input', 'An operator must name a project.')
    return { project: await findProject(tools.db, slug), isForFirstOwner: false }
  }
  const caller = storeCaller(context)
  const { project } = caller
  if (slug !== null && slug !== project.slug)
    throw new StoreError('project_not_found', `There is no project ${slug}.`)
  if (!isWholeKey(caller)) {
    requireRights(context, project)
    return { project, isForFirstOwner: false }
  }
  if ((await listMembers(tools.db, project)).length > 0) throw onlyOwners()
  return { project, isForFirstOwner: true }
}

const isWholeKey = ({ key, person }: Caller) => !person && scopes.every(scope => key.scopes.includes(scope))

/**
 * Reads the id of a member or an invitation, and finds the project in the id. An operator or an owner of the project
 * may call. Any other person may call only if `isOwn(person)` is equal to the id. Throws for all other callers. `by` is
 * the id of the calling owner; null for an operator, and for a person for whom `isOwn(person)` is equal to the id.
 */
export async function ownedBy(
  context: Context,
  kind: 'member' | 'invitation',
  id: string,
  isOwn?: (person: CallingPerson) => string,
): Promise<{ project: Project; own: string; by: string | null }> {
  const missing = `${kind}_not_found` as const
  const [slug = '', uuid = ''] = (readId(kind, id) ?? '').split('_')
  const own = uuidIn(kind, `${kind}_${uuid}`, missing)
  const { identity, tools } = context
  if (identity.kind === 'operator') return { project: await findProject(tools.db, slug), own, by: null }
  const { project, person } = storeCaller(context)
  if (project.slug !== slug) throw new StoreError(missing, `The project has no such ${kind}.`)
  const isTheirs = person !== undefined && isOwn?.(person) === own
  return { project, own, by: isTheirs ? null : requireRights(context, project) }
}

const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function uuidIn(
  kind: 'person' | 'member' | 'invitation' | 'session',
  id: string,
  missing: 'member_not_found' | 'invitation_not_found' | 'session_not_found',
): string {
  const own = readId(kind, id)
  if (own !== null && uuidShape.test(own)) return own
  throw new StoreError(missing, `There is no such ${kind}.`)
}
