/**
 * An id starts with its kind, because Relay stores one record per id over all types. A pet's id is its number, as over
 * REST.
 */
const kinds = ['project', 'plan', 'budget', 'key', 'domain', 'deploy', 'category', 'order'] as const
type Kind = (typeof kinds)[number]

export function makeId(kind: Kind, own: string | number): string {
  return `${kind}_${own}`
}

/** The kind of object that has this id; null if it is no id of the store. */
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

/** The type that an id of this form belongs to; null if it is no id of the store. */
export function typeOfId(id: string): string | null {
  const kind = kindOf(id)
  return kind && types[kind]
}

/** The part of the id after its kind; null if the kind differs. */
export function readId(kind: Kind, id: string): string | null {
  return id.startsWith(`${kind}_`) ? id.slice(kind.length + 1) : null
}

const isPetId = (id: string) => /^-?\d+$/.test(id)

/** True for the id of a pet, a category or an order, which costs what a pet costs. */
export const isOfStore = (id: string) => ['pet', 'category', 'order'].includes(kindOf(id) ?? '')

/** Deploy ids are PostgreSQL integers. */
export function readDeployId(id: string): number | null {
  const number = readId('deploy', id)
  return number !== null && /^[1-9]\d{0,9}$/.test(number) && Number(number) < 2 ** 31 ? Number(number) : null
}
