type Answer = { body: object; headers: Headers }

const tags = new WeakMap<object, string>()

/**
 * The version tag of a pet, category or order that was created, changed or fetched, for `ifMatch`. Items of a list have
 * none.
 */
export const etagOf = (answered: object): string | undefined => tags.get(answered)

/** Remembers the tag of an answer. */
export function tagged<Body extends object>({ body, headers }: Answer & { body: Body }): Body {
  const tag = headers.get('ETag')
  if (tag !== null) tags.set(body, tag)
  return body
}
