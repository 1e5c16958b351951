import type { IncomingHttpHeaders } from 'node:http'

export type Filters = { categoryId: string | null; name: string | null; newestFirst: boolean }
export type OrderFilters = { status: string | null; petId: string | null; reference: string | null }
export type Paged = { limit: unknown; after: string | null }
export type Lists = 'list' | 'listOrders' | 'listCategories'

/** An act that a client wants. REST and GraphQL each express it in their own way. */
export type Act =
  | { kind: 'create'; pet: Record<string, unknown>; key: string | null }
  | ({ kind: 'list'; status: string | null; filters: Filters } & Paged)
  | { kind: 'get'; id: string }
  | { kind: 'update'; id: string; change: Record<string, unknown>; ifMatch: string | null }
  | { kind: 'delete'; id: string; ifMatch: string | null }
  | { kind: 'updateMany' | 'deleteMany'; selection: Record<string, unknown>; change: Record<string, unknown> }
  | { kind: 'place'; order: Record<string, unknown>; key: string | null }
  | { kind: 'approve' | 'deliver' | 'cancel' | 'getOrder'; id: string }
  | ({ kind: 'listOrders'; filters: OrderFilters } & Paged)
  | { kind: 'setCategory'; id: string; name: unknown }
  | { kind: 'removeCategory' | 'getCategory'; id: string }
  | ({ kind: 'listCategories' } & Paged)
  | { kind: 'related' }

/** Result of an act, in terms common to REST and GraphQL. */
export type Outcome = {
  code: string | null
  status: number | null
  fields: string[]
  pets: { id: string; name: string; categoryId: string; status: string | null }[]
  orders: ShownOrder[]
  categories: { id: string; name: string; petCount: number }[]
  related: Related | null
  /** Ids of the pets that a bulk act changed. */
  changed: string[] | null
  cursor: string | null
  /** The tag of the returned pet. */
  etag: string | null
  remaining: string | undefined
  retryAfter: string | undefined
  isDeprecated: boolean
}

/** Pets with their categories and orders, and orders with their pets. */
export type Related = {
  pets: { id: string; category: string | null; orders: string[]; hasMoreOrders: boolean }[]
  orders: { id: string; pet: { id: string; status: string | null } | null }[]
}

export type ShownOrder = {
  id: string
  petId: string
  petName: string
  categoryId: string
  status: string
  reference: string | null
  note: string | null
  /** The names of the order's time fields that are not null. */
  times: string[]
}

export const nothing = {
  code: null,
  status: null,
  fields: [],
  pets: [],
  orders: [],
  categories: [],
  related: null,
  changed: null,
  cursor: null,
  etag: null,
}

export function timesOf(order: object): string[] {
  const times = Object.entries(order).filter(([name, value]) => name.endsWith('At') && value !== null)
  return times.map(([name]) => name).sort()
}

export function readCommonHeaders(headers: IncomingHttpHeaders) {
  return {
    remaining: headers['x-ratelimit-remaining'] as string | undefined,
    retryAfter: headers['retry-after'],
    isDeprecated: headers.deprecation !== undefined,
  }
}
