type Answer = { body: object; headers: Headers }

const tags = new WeakMap<object, string>()

/**
 * The tag of a pet, a category or an order as it was answered when it was made, changed or fetched, for `ifMatch`; those of
 * a list have none.
 */
export const etagOf = (answered: object): string | undefined => tags.get(answered)

/** What was answered, with its tag noted. */
export function tagged<Body extends object>({ body, headers }: Answer & { body: Body }): Body {
  const tag = headers.get('ETag')
  if (tag !== null) tags.set(body, tag)
  return body
}
