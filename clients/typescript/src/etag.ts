import { invalidInput } from './errors.ts'

type Answer = { body: object; headers: Headers }

const tags = new WeakMap<object, string>()

/**
 * Returns the version tag of a pet, category or order that you created, changed or fetched, for `ifMatch`. Throws for
 * items of a list and for copies: these have no tag, and a change without a tag would overwrite the changes of others.
 */
export function etagOf(answered: object): string {
  const tag = tags.get(answered)
  if (tag !== undefined) return tag
  throw invalidInput('etagOf', 'must get an object from a get, a creation or a change; others have no tag')
}

/** Remembers the tag of an answer for `etagOf`. */
export function tagged<Body extends object>({ body, headers }: Answer & { body: Body }): Body {
  const tag = headers.get('ETag')
  if (tag !== null) tags.set(body, tag)
  return body
}
