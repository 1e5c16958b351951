type Answer = { body: object; headers: Headers }

const tags = new WeakMap<object, string>()

/**
 * Returns the version tag of a pet, category or order that you created, changed or fetched, for `ifMatch`. Items of a
 * list have no tag.
 */
export const etagOf = (answered: object): string | undefined => tags.get(answered)

/** Remembers the tag of an answer for `etagOf`. */
export function tagged<Body extends object>({ body, headers }: Answer & { body: Body }): Body {
  const tag = headers.get('ETag')
  if (tag !== null) tags.set(body, tag)
  return body
}
