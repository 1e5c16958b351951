import { parseEventId } from '../core/events/position.ts'

/**
 * An id starts with its kind, because Relay stores one record per id over all types. Pets and events are exceptions:
 * they have the same ids as in REST.
 */
const kinds = [
  'project',
  'plan',
  'budget',
  'key',
  'domain',
  'deploy',
  'category',
  'order',
  'webhook',
  'delivery',
  'entry',
] as const
/** `node` does not find the kinds that this type adds; only fields return objects of these kinds. */
type Kind = (typeof kinds)[number] | 'person' | 'session' | 'passkey' | 'member' | 'invitation'

export function makeId(kind: Kind, own: string | number): string {
  return `${kind}_${own}`
}

type NodeKind = (typeof kinds)[number] | 'pet' | 'event'

/** Returns the kind of object with this id; null if this is no id of the store. */
export const kindOf = (id: string): NodeKind | null =>
  isPetId(id) ? 'pet' : parseEventId(id) ? 'event' : (kinds.find(kind => readId(kind, id)) ?? null)

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
  event: 'Event',
  webhook: 'Webhook',
  delivery: 'WebhookDelivery',
  entry: 'AuditEntry',
} as const satisfies Record<NodeKind, string>

/** Returns the GraphQL type of the object with this id; null if this is no id of the store. */
export function typeOfId(id: string): string | null {
  const kind = kindOf(id)
  return kind && types[kind]
}

/** Returns the part of the id after its kind; null if it is of another kind. */
export function readId(kind: Kind, id: string): string | null {
  return id.startsWith(`${kind}_`) ? id.slice(kind.length + 1) : null
}

const isPetId = (id: string) => /^-?\d+$/.test(id)

/**
 * True for the id of a pet, a category, an order or an event. If an operation reads one of these objects through
 * `node`, the operation is charged to the plan's budget.
 */
export const isOfStore = (id: string) => ['pet', 'category', 'order', 'event'].includes(kindOf(id) ?? '')

/** Parses a deploy's id, which is a PostgreSQL integer. */
export function readDeployId(id: string): number | null {
  const number = readId('deploy', id)
  return number !== null && /^[1-9]\d{0,9}$/.test(number) && Number(number) < 2 ** 31 ? Number(number) : null
}
