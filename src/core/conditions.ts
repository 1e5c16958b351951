import { StoreError } from './errors.ts'

/** Tags that a client sent, or a star for any tag. */
export type Tags = readonly string[] | '*'

/** A client's conditions on the tag of the resource that it changes (RFC 9110, 13.1). Null: no condition. */
export type Condition = { match: Tags | null; noneMatch: Tags | null }

export const unconditional: Condition = { match: null, noneMatch: null }

export const isConditional = ({ match, noneMatch }: Condition): boolean =>
  match !== null || noneMatch !== null

/**
 * Throws if a condition does not hold for `tag`. A null tag means that the resource does not exist. `resource` begins
 * the message, and `unmatched` makes the error if `match` lacks the tag.
 */
export function requireFulfilled(
  { match, noneMatch }: Condition,
  tag: string | null,
  resource: string,
  unmatched: () => StoreError,
): void {
  if (match !== null && !includes(match, tag)) throw unmatched()
  if (noneMatch === null || !includes(noneMatch, tag)) return
  const is = noneMatch === '*' ? 'exists already' : 'still has a tag of If-None-Match'
  throw new StoreError('precondition_failed', `${resource} ${is}; nothing was done.`)
}

const includes = (tags: Tags, tag: string | null) => tag !== null && (tags === '*' || tags.includes(tag))
