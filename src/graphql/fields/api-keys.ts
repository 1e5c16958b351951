import { invalidInput } from '../../core/errors.ts'
import { isKeyId, issueApiKey, renameApiKey, revokeApiKey, rotateApiKey } from '../../core/keys/api-keys.ts'
import {
  type ApiKeyPlace,
  type ApiKeySort,
  isSortedByTime,
  placeOfKey,
  stateOf,
} from '../../core/keys/list.ts'
import type { Scope as ScopeName } from '../../core/keys/scopes.ts'
import type { Project } from '../../core/project.ts'
import { findBan } from '../../core/projects/bans.ts'
import { faultsOfSearch, isStorable } from '../../core/text.ts'
import type { ApiKey as StoredApiKey } from '../../generated/prisma/client.ts'
import {
  type Connection,
  connectionOf,
  makeCursor,
  neighboursOf,
  notACursor,
  readCursor,
  readPage,
  requireWithin,
} from '../connection.ts'
import { type Context, managedProject } from '../context.ts'
import type {
  ApiKeyResolvers,
  MutationResolvers,
  QueryApiKeysArgs,
  QueryResolvers,
  ScopeResolvers,
} from '../generated/resolvers.ts'
import { makeId } from '../ids.ts'
import { withinInput } from '../input.ts'
import { chosenProject, ownerOfKey } from './owning-project.ts'
import { keyUsageOf } from './usage.ts'

const longestOverlapSeconds = 30 * 24 * 60 * 60
const mostKeys = 100

/** GraphQL names cannot contain a colon. */
export const Scope = {
  pets_read: 'pets:read',
  pets_write: 'pets:write',
  orders_read: 'orders:read',
  orders_write: 'orders:write',
  events_read: 'events:read',
  webhooks_write: 'webhooks:write',
  project_read: 'project:read',
  project_write: 'project:write',
} satisfies ScopeResolvers

export const apiKeyQueries = {
  async apiKeys(_parent, args, context) {
    return pageOfKeys(context, await managedProject(context, null, 'project:read'), args)
  },
} satisfies QueryResolvers

export async function pageOfKeys(
  { loaders }: Context,
  project: Project,
  args: Partial<QueryApiKeysArgs>,
): Promise<Connection<StoredApiKey>> {
  const { search, states, endsBefore } = args
  const query = readKeysQuery(args, project)
  const { limit, isBackward, after, sort } = query
  const filters = { search: search || null, states: states ?? null, endsBefore: endsBefore ?? null }
  const page = { projectId: project.id, limit: limit + 1, after, isBackward, sort }
  const rows = await loaders().apiKeys.load({ ...page, ...filters })
  const keys = rows.slice(0, limit)
  if (isBackward) keys.reverse()
  return connectionOf(keys, neighboursOf(query, rows.length > limit), key => {
    const { id, value } = placeOfKey(key, sort)
    const text = value instanceof Date ? value.toISOString() : (value ?? '')
    return makeCursor(listOf(sort), project, sort === 'newest_first' ? id : `${id} ${text}`)
  })
}

export function readKeysQuery(args: Partial<QueryApiKeysArgs>, project?: Project) {
  const { limit, after, isBackward, names } = readPage(args, mostKeys)
  requireWithin(limit, mostKeys, names.limit)
  const faults = faultsOfSearch(args.search)
  if (faults.length > 0) throw invalidInput(faults)
  const sort = args.sort ?? 'newest_first'
  const place = after ? readPlace(readCursor(listOf(sort), project, after, names.after), sort) : null
  if (after && !place) throw notACursor(names.after)
  return { limit, isBackward, after: place, sort }
}

/**
 * The name of the list of API keys in a cursor. Each sort order has a name of its own, because a cursor is valid only
 * for the order that issued it.
 */
const listOf = (sort: ApiKeySort) => (sort === 'newest_first' ? 'key' : `key-${sort}`)

/**
 * Parses a cursor's text into the key's id and the value that the list is sorted by. Returns null if these cannot
 * belong to a key.
 */
function readPlace(text: string, sort: ApiKeySort): ApiKeyPlace | null {
  const [id = ''] = text.split(' ', 1)
  const value = text.slice(id.length + 1)
  if (!isKeyId(id) || !isStorable(value)) return null
  if (!isSortedByTime(sort)) return { id, value: value || null }
  if (value === '') return { id, value: null }
  const time = new Date(value)
  const year = time.getUTCFullYear()
  return year >= 1 && year <= 9999 ? { id, value: time } : null
}

export const apiKeyMutations = {
  async apiKeyIssue(_parent, { input }, context) {
    const { db, clock } = context.tools
    const project = await chosenProject(context, input.projectId, 'project:write')
    const { name, scopes, expiresAt } = input
    return withinInput(() =>
      issueApiKey(db, clock, project, { name, scopes, expiresAt: expiresAt ?? null }, callerOf(context)),
    )
  },

  async apiKeyRotate(_parent, { input: { id, overlapSeconds } }, context) {
    const { db, clock } = context.tools
    const key = await ownerOfKey(context, id, 'project:write')
    const seconds = overlapSeconds ?? 86_400
    if (seconds < 0 || seconds > longestOverlapSeconds) {
      throw invalidInput([
        { field: 'input.overlapSeconds', message: `must be from 0 to ${longestOverlapSeconds}` },
      ])
    }
    const overlapEndsAt = new Date(clock.now() + seconds * 1000)
    return rotateApiKey(db, clock, key.project, key.id, overlapEndsAt, callerOf(context))
  },

  async apiKeyRename(_parent, { input: { id, name } }, context) {
    const { project, id: own } = await ownerOfKey(context, id, 'project:write')
    return { apiKey: await withinInput(() => renameApiKey(context.tools.db, project, own, name)) }
  },

  async apiKeyRevoke(_parent, { input }, context) {
    const { db, clock } = context.tools
    const { project, id } = await ownerOfKey(context, input.id, 'project:write')
    return { apiKey: await revokeApiKey(db, clock, project, id) }
  },
} satisfies MutationResolvers

export const ApiKey = {
  id: apiKey => makeId('key', apiKey.id),
  successorId: apiKey => apiKey.successorId && makeId('key', apiKey.successorId),
  rotatedAt: (apiKey, _args, { loaders }) =>
    apiKey.successorId === null ? null : loaders().issueTime.load(apiKey.successorId),
  scopes: apiKey => apiKey.scopes as ScopeName[],
  state: (apiKey, _args, { tools }) => stateOf(apiKey, new Date(tools.clock.now())),
  ban: (apiKey, _args, { tools }) => findBan(tools.limiter, { id: apiKey.projectId }, apiKey.id),
  current: (apiKey, _args, { identity }) =>
    identity.kind === 'caller' && !identity.caller.person && identity.caller.key.id === apiKey.id,
  deprecatedUse: (apiKey, _args, { loaders }) => loaders().deprecatedUses.load(apiKey.id),
  usage: (apiKey, args, context) => keyUsageOf(context, apiKey, args),
} satisfies ApiKeyResolvers

const callerOf = ({ identity }: Context) => (identity.kind === 'caller' ? identity.caller : null)
