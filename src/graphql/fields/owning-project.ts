import { StoreError } from '../../core/errors.ts'
import type { Scope } from '../../core/keys/scopes.ts'
import type { Project } from '../../core/project.ts'
import { findOwner, type Owned } from '../../core/projects/operator.ts'
import { type Context, managedProject, storeCaller } from '../context.ts'
import { readDeployId, readId } from '../ids.ts'

/** Accepts lower case only, so that an object has exactly one id. */
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns the project that an input names by id. Without an id, returns the project of the calling key. */
export async function chosenProject(
  context: Context,
  projectId: string | null | undefined,
  scope: Scope,
): Promise<Project> {
  const slug = typeof projectId === 'string' ? slugOf(projectId) : null
  return managedProject(context, slug, scope, 'input.projectId')
}

/** Returns the slug in a project's id. */
export function slugOf(projectId: string): string {
  const slug = readId('project', projectId)
  if (slug === null) throw new StoreError('project_not_found', `There is no project ${projectId}.`)
  return slug
}

/** The store's own id of an object, and the project that owns it. */
export type Found<Id> = { id: Id; project: Project }

export function ownerOfKey(context: Context, id: string, scope: Scope): Promise<Found<string>> {
  const own = readUuid('key', id)
  const missing = new StoreError('api_key_not_found', 'There is no such API key.')
  return owner(context, own, apiKeyId => ({ apiKeyId }), scope, missing)
}

export function ownerOfDomain(context: Context, id: string, scope: Scope): Promise<Found<string>> {
  const own = readUuid('domain', id)
  const missing = new StoreError('domain_not_found', 'The project has no such domain.')
  return owner(context, own, domainId => ({ domainId }), scope, missing)
}

export function ownerOfDeploy(context: Context, id: string, scope: Scope): Promise<Found<number>> {
  const missing = new StoreError('deploy_not_found', 'The project has no such deploy.')
  return owner(context, readDeployId(id), deployId => ({ deployId }), scope, missing)
}

function readUuid(kind: 'key' | 'domain', id: string): string | null {
  const own = readId(kind, id)
  return own !== null && uuid.test(own) ? own : null
}

/** Finds the owner. A key finds only its own project's objects; an operator finds all. */
async function owner<Id>(
  context: Context,
  id: Id | null,
  owned: (id: Id) => Owned,
  scope: Scope,
  missing: StoreError,
): Promise<Found<Id>> {
  const isOperator = context.identity.kind === 'operator'
  const own = isOperator ? null : storeCaller(context, scope).project
  const project = own ?? (id === null ? null : await findOwner(context.tools.db, owned(id)))
  if (id === null || !project) throw missing
  return { id, project }
}
