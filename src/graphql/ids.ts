/** Relay keeps one record an id over all types, so that an id says what it is; a pet's is its number, as over REST. */
const kinds = ['project', 'plan', 'budget', 'key', 'domain', 'deploy', 'category', 'order'] as const
type Kind = (typeof kinds)[number]

export function makeId(kind: Kind, own: string | number): string {
  return `${kind}_${own}`
}

/** What kind of thing bears the id; null where it is none of the store's. */
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

/** What the id says behind its kind, or null where it is of another kind. */
export function readId(kind: Kind, id: string): string | null {
  return id.startsWith(`${kind}_`) ? id.slice(kind.length + 1) : null
}

/** A pet's id is its number. */
const isPetId = (id: string) => /^-?\d+$/.test(id)

/** Whether it is the id of something that the store sells, which costs what a pet costs. */
export const isOfStore = (id: string) => ['pet', 'category', 'order'].includes(kindOf(id) ?? '')

/** Deploys are numbered, by what the database takes for a number. */
export function readDeployId(id: string): number | null {
  const number = readId('deploy', id)
  return number !== null && /^[1-9]\d{0,9}$/.test(number) && Number(number) < 2 ** 31 ? Number(number) : null
}
