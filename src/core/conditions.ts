/** Tags that a client named, or a star for any. */
export type Tags = readonly string[] | '*'

/** The conditions of a client on the tag of a resource that it changes (RFC 9110, 13.1); null sets none. */
export type Condition = { match: Tags | null; noneMatch: Tags | null }

export const unconditional: Condition = { match: null, noneMatch: null }

export const isConditional = ({ match, noneMatch }: Condition): boolean =>
  match !== null || noneMatch !== null

/** `tag` is null if there is no such resource. */
export function isFulfilled({ match, noneMatch }: Condition, tag: string | null): boolean {
  if (match !== null && !includes(match, tag)) return false
  return noneMatch === null || !includes(noneMatch, tag)
}

const includes = (tags: Tags, tag: string | null) => tag !== null && (tags === '*' || tags.includes(tag))
