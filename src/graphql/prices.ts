/** The cost of an operation's parts, in units of about one microsecond of CPU time (docs/graphql.md). */
export const units = { leaf: 1, date: 2, object: 2, connection: 7, load: 5, statement: 700 } as const

/** A charged field costs one request for each started multiple of these units. */
export const unitsOfARequest = 4_000

/** An operation of more units would delay other requests, whatever its plan could pay. */
export const maxUnits = 28_000

export const requestsFor = (spent: number) => Math.max(1, Math.ceil(spent / unitsOfARequest))

/** The requests that an operation takes from each budget. */
export type Bill = {
  storeRequests: number
  managementRequests: number
  /** Set if the operation selects only this. */
  only: 'schema' | 'rateLimit' | null
}

/** An operation that cannot be read costs the same as a malformed REST request. */
export const unreadableBill: Bill = { storeRequests: 1, managementRequests: 0, only: null }
