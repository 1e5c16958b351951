import type { Request } from 'express'
import { LRUCache } from 'lru-cache'

/** What an answer may be written in; where a client likes both equally, the older one, as in Apollo. */
export const mediaTypes = ['application/json', 'application/graphql-response+json'] as const
export type MediaType = (typeof mediaTypes)[number]

/** Clients of one kind all send the same header, which takes longer to read than to find. */
const known = new LRUCache<string, { type: MediaType | null }>({ max: 200 })
const longestKept = 200

/** The media type that a client wants to be answered in, or null where it takes none of ours. */
export function mediaTypeFor(request: Request): MediaType | null {
  const { accept = '' } = request.headers
  const found = known.get(accept)
  if (found) return found.type
  const types = mediaTypes.map(type => `${type}; charset=utf-8`)
  const at = types.indexOf(String(request.accepts(types)))
  const type = mediaTypes[at] ?? null
  if (accept.length <= longestKept) known.set(accept, { type })
  return type
}
