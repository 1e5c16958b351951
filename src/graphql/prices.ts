/** Costs of an operation's parts. A unit is about one microsecond of CPU time (docs/graphql.md). */
export const units = { leaf: 1, date: 2, object: 2, connection: 7, load: 5, statement: 700 } as const

/** A charged field costs one request for each block of this many units. A block that is begun costs a whole request. */
export const unitsOfARequest = 4_000

/** Operations with more units are refused, because they would delay other requests. */
export const maxUnits = 28_000

export const requestsFor = (spent: number) => Math.max(1, Math.ceil(spent / unitsOfARequest))

/** The requests that an operation costs in each budget. */
export type OperationPrice = {
  storeRequests: number
  managementRequests: number
  /** Set if all root fields of the operation are of this kind. */
  only: 'schema' | 'rateLimit' | 'person' | null
}

/** An unreadable operation costs the same as a malformed REST request. */
export const unreadablePrice: OperationPrice = { storeRequests: 1, managementRequests: 0, only: null }
