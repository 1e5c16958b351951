import type { Role } from '../../generated/prisma/enums.ts'
import { type Scope, scopes } from './scopes.ts'

export type { Role }

/** Lowest first. */
export const roles = ['viewer', 'developer', 'owner'] as const satisfies readonly Role[]

export const isAtLeast = (held: Role, role: Role) => roles.indexOf(held) >= roles.indexOf(role)

/** The scopes of each role. Owners can also change members, which no scope allows: an API key must not add people. */
export const scopesOfRole = {
  viewer: ['pets:read', 'orders:read', 'events:read', 'project:read'],
  developer: scopes,
  owner: scopes,
} as const satisfies Record<Role, readonly Scope[]>
