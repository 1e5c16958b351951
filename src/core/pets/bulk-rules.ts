import { type Fault, invalidInput, type StoreError } from '../errors.ts'
import { parseInt64 } from '../int64.ts'
import type { PetFilters } from './export.ts'
import { parseFilters } from './rules.ts'

export const mostAtOnce = 1_000

/**
 * The pets that one request changes: either the pets in `ids`, or all pets that match `filters`. `tags` maps the id of
 * a pet to the version tag that the pet must have. Pets without an entry in `tags` may have any version.
 */
export type PetSelection = { ids: bigint[]; tags: ReadonlyMap<bigint, string>; filters: PetFilters | null }

export const tooManyMatches = (): StoreError =>
  invalidInput([{ field: 'filter', message: `must match at most ${mostAtOnce} pets` }])

const idRule = `must be a list of 1 to ${mostAtOnce} different pet ids (64-bit integers)`
const etagsRule = 'must be a list of { id, etag } with different ids, all of which are in `ids`'
const filterRule = 'must be an object with at least one of status, categoryId and name'
export const filterFields = ['status', 'categoryId', 'name'] as const

/** Validates the selection of pets in a REST body or GraphQL input. A null is a value, not an absent field. */
export function parsePetSelection(input: Record<string, unknown>, faults: Fault[]): PetSelection {
  const nothing: PetSelection = { ids: [], tags: new Map(), filters: null }
  const [hasIds, hasFilter] = [input.ids !== undefined, input.filter !== undefined]
  if (hasIds === hasFilter) {
    faults.push({ field: 'ids', message: 'must be given if `filter` is not; only one of them is allowed' })
    return nothing
  }
  if (hasFilter) {
    if (input.etags !== undefined) faults.push({ field: 'etags', message: 'has no effect with a filter' })
    return { ...nothing, filters: readFilter(input.filter, faults) }
  }
  const ids = readIds(input.ids)
  if (!ids) {
    faults.push({ field: 'ids', message: idRule })
    return nothing
  }
  const tags = input.etags === undefined ? new Map<bigint, string>() : readTags(input.etags, new Set(ids))
  if (!tags) faults.push({ field: 'etags', message: etagsRule })
  return { ids, tags: tags ?? new Map(), filters: null }
}

function readIds(value: unknown): bigint[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > mostAtOnce) return null
  const ids = value.map(readId)
  return new Set(ids).size === ids.length && !ids.includes(null) ? (ids as bigint[]) : null
}

/** Reads a 64-bit integer, or the string of its digits. */
function readId(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value
  return typeof value === 'string' ? parseInt64(value) : null
}

function readTags(value: unknown, ids: ReadonlySet<bigint>): Map<bigint, string> | null {
  if (!Array.isArray(value)) return null
  const tags = new Map<bigint, string>()
  for (const one of value) {
    const { id, etag } = (typeof one === 'object' && one !== null ? one : {}) as Record<string, unknown>
    const known = readId(id)
    // Accept a tag with or without quotes, because it has quotes in headers and none in GraphQL.
    const tag = typeof etag === 'string' ? /^(?:W\/)?"?([\w-]{1,100})"?$/.exec(etag)?.[1] : undefined
    if (known === null || !ids.has(known) || tags.has(known) || tag === undefined) return null
    tags.set(known, tag)
  }
  return tags
}

function readFilter(value: unknown, faults: Fault[]): PetFilters | null {
  const given = (typeof value === 'object' ? value : null) as Record<string, unknown> | null
  const texts: Record<(typeof filterFields)[number], string | null> = {
    status: null,
    categoryId: null,
    name: null,
  }
  const fields = filterFields.filter(field => given?.[field] !== undefined)
  // Refuse an empty filter: it would select every pet, probably by accident.
  if (fields.length === 0) {
    faults.push({ field: 'filter', message: filterRule })
    return null
  }
  for (const field of fields) {
    const part = given?.[field]
    const mayBeNumber = field === 'categoryId'
    // Refuse null too: a program whose variable is null by accident would change more pets than it meant to.
    if (typeof part === 'string' || (mayBeNumber && typeof part === 'bigint')) texts[field] = String(part)
    else faults.push({ field, message: mayBeNumber ? 'must be an integer or a string' : 'must be a string' })
  }
  return parseFilters(texts, faults)
}
