/** Tags that a client sent, or a star for any tag. */
export type Tags = readonly string[] | '*'

/** A client's conditions on the tag of the resource that it changes (RFC 9110, 13.1). Null: no condition. */
export type Condition = { match: Tags | null; noneMatch: Tags | null }

export const unconditional: Condition = { match: null, noneMatch: null }

export const isConditional = ({ match, noneMatch }: Condition): boolean =>
  match !== null || noneMatch !== null

/** True if the conditions hold for `tag`. A null tag means that the resource does not exist. */
export function isFulfilled({ match, noneMatch }: Condition, tag: string | null): boolean {
  if (match !== null && !includes(match, tag)) return false
  return noneMatch === null || !includes(noneMatch, tag)
}

const includes = (tags: Tags, tag: string | null) => tag !== null && (tags === '*' || tags.includes(tag))
