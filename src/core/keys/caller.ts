import { StoreError } from '../errors.ts'
import type { Project } from '../project.ts'
import type { Role } from './roles.ts'
import type { Scope } from './scopes.ts'

/** A project that calls through one of its API keys, or a member of the project. */
export type Caller = {
  project: Project
  /** The API key. If a person calls, this is the access token, and `id` is the session's id. */
  key: {
    id: string
    prefix: string
    scopes: readonly Scope[]
    /** The person who issued the API key. */
    issuedBy?: string | null
  }
  /** Absent if an API key calls. */
  person?: CallingPerson
}

export type CallingPerson = { id: string; sessionId: string; role: Role }

/**
 * Returns the person who calls, or the issuer of the calling key. Keys that this caller issues get this person as
 * their issuer.
 */
export function personBehind({ key, person }: Caller): string | null {
  return person?.id ?? key.issuedBy ?? null
}

/**
 * The scope that each operation needs. REST and GraphQL map the names of their operations to the names in this object.
 */
export const scopeFor = {
  listPets: 'pets:read',
  exportPets: 'pets:read',
  getPet: 'pets:read',
  createPet: 'pets:write',
  importPets: 'pets:write',
  updatePet: 'pets:write',
  updatePets: 'pets:write',
  deletePet: 'pets:write',
  deletePets: 'pets:write',
  getInventory: 'pets:read',
  getUsage: 'project:read',
  listCategories: 'pets:read',
  getCategory: 'pets:read',
  setCategory: 'pets:write',
  removeCategory: 'pets:write',
  listOrders: 'orders:read',
  getOrder: 'orders:read',
  placeOrder: 'orders:write',
  approveOrder: 'orders:write',
  deliverOrder: 'orders:write',
  cancelOrder: 'orders:write',
  listEvents: 'events:read',
  getEvent: 'events:read',
  readAudit: 'project:read',
  manageWebhooks: 'webhooks:write',
} as const satisfies Record<string, Scope>

export function holdsScope(caller: Caller, scope: Scope): boolean {
  return caller.key.scopes.includes(scope)
}

export function requireScope(caller: Caller, scope: Scope): void {
  if (holdsScope(caller, scope)) return
  const lacking = caller.person ? `The role ${caller.person.role}` : 'This API key'
  throw new StoreError('insufficient_scope', `${lacking} lacks the scope ${scope}.`)
}

/**
 * A key with all of these scopes can already read everything that events show, so the key may grant `events:read`. A
 * key that has or may grant `events:read` may also grant `webhooks:write` if it has `project:write`, because
 * `project:write` already lets the key decide which data the project sends to which receivers.
 */
const showEvents: readonly Scope[] = ['pets:read', 'orders:read', 'project:read']

/** Throws if the caller lacks a scope that the new key should have. */
export function requireGrantable(caller: Caller, wanted: readonly string[]): void {
  const own: readonly string[] = caller.key.scopes
  const maySeeEvents = showEvents.every(scope => own.includes(scope))
  const maySendEvents = (maySeeEvents || own.includes('events:read')) && own.includes('project:write')
  const grantable = [
    ...own,
    ...(maySeeEvents ? ['events:read'] : []),
    ...(maySendEvents ? ['webhooks:write'] : []),
  ]
  const lacking = wanted.filter(scope => !grantable.includes(scope))
  if (lacking.length === 0) return
  throw new StoreError(
    'insufficient_scope',
    `This ${caller.person ? 'member' : 'API key'} cannot grant ${lacking.join(', ')}, which it lacks itself.`,
  )
}
