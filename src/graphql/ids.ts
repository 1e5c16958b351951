/**
 * An id starts with its kind, because Relay stores one record per id over all types. A pet's id is its number, as in
 * REST.
 */
const kinds = ['project', 'plan', 'budget', 'key', 'domain', 'deploy', 'category', 'order'] as const
type Kind = (typeof kinds)[number]

export function makeId(kind: Kind, own: string | number): string {
  return `${kind}_${own}`
}

/** Returns the kind of object with this id; null if this is no id of the store. */
export const kindOf = (id: string): Kind | 'pet' | null =>
  isPetId(id) ? 'pet' : (kinds.find(kind => readId(kind, id)) ?? null)

const types = {
  pet: 'Pet',
  project: 'Project',
  plan: 'Plan',
  budget: 'RateLimit',
  key: 'ApiKey',
  domain: 'Domain',
  deploy: 'Deploy',
  category: 'Category',
  order: 'Order',
} as const satisfies Record<Kind | 'pet', string>

/** Returns the type of objects with such ids; null if this is no id of the store. */
export function typeOfId(id: string): string | null {
  const kind = kindOf(id)
  return kind && types[kind]
}

/** Returns the part of the id after its kind; null if it is of another kind. */
export function readId(kind: Kind, id: string): string | null {
  return id.startsWith(`${kind}_`) ? id.slice(kind.length + 1) : null
}

const isPetId = (id: string) => /^-?\d+$/.test(id)

/** True for ids of pets, categories and orders, which cost the same as a pet. */
export const isOfStore = (id: string) => ['pet', 'category', 'order'].includes(kindOf(id) ?? '')

/** Parses a deploy's id, which is a PostgreSQL integer. */
export function readDeployId(id: string): number | null {
  const number = readId('deploy', id)
  return number !== null && /^[1-9]\d{0,9}$/.test(number) && Number(number) < 2 ** 31 ? Number(number) : null
}
