import { StoreError } from '../core/errors.ts'
import type { Scope } from '../core/keys/scopes.ts'
import type { Project } from '../core/project.ts'
import { logAct } from './audit.ts'
import { type Context, type Loaders, makeLoaders, storeCaller } from './context.ts'

/**
 * Throws unless the client may read this project's store: with a key of the project that has the scope, or as an
 * operator. Logs each read by an operator.
 */
export function admitReader(context: Context, project: Project, scope: Scope, what: string): void {
  if (context.identity.kind === 'operator') {
    logAct(context, 'store read', { project: project.slug, what })
    return
  }
  const caller = storeCaller(context, scope)
  if (caller.project.id !== project.id) throw new StoreError('project_not_found', 'There is no such project.')
}

/** Records which project owns these pets, orders or categories, for an operator's query of their fields. */
export function noteOwner(context: Context, project: Project, items: readonly object[]): void {
  if (context.identity.kind !== 'operator') return
  for (const item of items) context.owners.set(item, project)
}

/** Returns the store that a pet, an order or a category belongs to. Throws if the key lacks the scope. */
export function storeOf(context: Context, item: object, scope: Scope): Project {
  const owner = context.owners.get(item)
  return owner ?? storeCaller(context, scope).project
}

/** Returns the loaders of the store that a pet, an order or a category belongs to. */
export function loadersOf(context: Context, item: object): Loaders {
  const owner = context.owners.get(item)
  if (!owner) return context.loaders()
  const known = context.storeLoaders.get(owner.id)
  if (known) return known
  const loaders = makeLoaders(context.tools, () => owner)
  context.storeLoaders.set(owner.id, loaders)
  return loaders
}
