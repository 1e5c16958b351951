import {
  findApiKey,
  issueApiKey,
  isUsable,
  listApiKeys,
  renameApiKey,
  revokeApiKey,
  rotateApiKey,
  type Scope as ScopeName,
} from '../core/api-keys.ts'
import { requireGrantable } from '../core/callers.ts'
import { invalidInput } from '../core/errors.ts'
import { type Context, managedProject } from './context.ts'
import type {
  ApiKeyResolvers,
  MutationResolvers,
  QueryResolvers,
  ScopeResolvers,
} from './generated/resolvers.ts'
import { withinInput } from './input.ts'

const longestOverlapSeconds = 30 * 24 * 60 * 60

/** GraphQL's names hold no colon. */
export const Scope = {
  pets_read: 'pets:read',
  pets_write: 'pets:write',
  project_read: 'project:read',
  project_write: 'project:write',
} satisfies ScopeResolvers

export const apiKeyQueries = {
  async apiKeys(_parent, { first, after, project: slug }, context) {
    const project = await managedProject(context, slug, 'project:read')
    return listApiKeys(context.tools.db, project, { limit: first ?? 100, after: after ?? null })
  },
} satisfies QueryResolvers

export const apiKeyMutations = {
  async issueApiKey(_parent, { input, project: slug }, context) {
    const { db, clock } = context.tools
    const project = await managedProject(context, slug, 'project:write')
    requireOwnScopes(context, input.scopes)
    return withinInput(() =>
      issueApiKey(db, clock, project, { ...input, expiresAt: input.expiresAt ?? null }),
    )
  },

  async rotateApiKey(_parent, { id, overlapSeconds, project: slug }, context) {
    const { db, clock } = context.tools
    const project = await managedProject(context, slug, 'project:write')
    const seconds = overlapSeconds ?? 86_400
    if (seconds < 0 || seconds > longestOverlapSeconds) {
      throw invalidInput([{ field: 'overlapSeconds', message: `must be from 0 to ${longestOverlapSeconds}` }])
    }
    requireOwnScopes(context, (await findApiKey(db, project, id)).scopes)
    return rotateApiKey(db, clock, project, id, new Date(clock.now() + seconds * 1000))
  },

  async renameApiKey(_parent, { id, name, project: slug }, context) {
    return renameApiKey(context.tools.db, await managedProject(context, slug, 'project:write'), id, name)
  },

  async revokeApiKey(_parent, { id, project: slug }, context) {
    const { db, clock } = context.tools
    return revokeApiKey(db, clock, await managedProject(context, slug, 'project:write'), id)
  },
} satisfies MutationResolvers

export const ApiKey = {
  scopes: apiKey => apiKey.scopes as ScopeName[],
  state(apiKey, _args, { tools }) {
    if (apiKey.revokedAt) return 'revoked'
    if (!isUsable(apiKey, new Date(tools.clock.now()))) return 'expired'
    return apiKey.successorId ? 'overlapping' : 'active'
  },
  current: (apiKey, _args, { sender }) => sender.kind === 'caller' && sender.caller.key.id === apiKey.id,
  deprecatedUse: (apiKey, _args, { loaders }) => loaders.deprecatedUses.load(apiKey.id),
} satisfies ApiKeyResolvers

function requireOwnScopes({ sender }: Context, scopes: readonly string[]): void {
  if (sender.kind === 'caller') requireGrantable(sender.caller, scopes)
}
