import type { Request } from 'express'
import { LRUCache } from 'lru-cache'

/**
 * The media types of answers, the older one first. A client that prefers both equally gets the older one, as in Apollo.
 */
export const mediaTypes = ['application/json', 'application/graphql-response+json'] as const
export type MediaType = (typeof mediaTypes)[number]

/** The media types by header. Clients of one kind send the same header, and parsing it is slower than a look-up. */
const known = new LRUCache<string, { type: MediaType | null }>({ max: 200 })
const longestCached = 200

/** Returns the media type that the client prefers; null if it accepts neither. */
export function mediaTypeFor(request: Request): MediaType | null {
  const { accept = '' } = request.headers
  const found = known.get(accept)
  if (found) return found.type
  const types = mediaTypes.map(type => `${type}; charset=utf-8`)
  const at = types.indexOf(String(request.accepts(types)))
  const type = mediaTypes[at] ?? null
  if (accept.length <= longestCached) known.set(accept, { type })
  return type
}
