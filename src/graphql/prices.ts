/** What the parts of an operation cost, in units: about a microsecond of CPU time each (docs/graphql.md). */
export const units = { leaf: 1, date: 2, object: 2, connection: 7, load: 5, statement: 700 } as const

/** A field that is charged costs one request, and one more for each further started number of so many units. */
export const unitsOfARequest = 4_000

/** An operation of more units would keep others waiting, whatever its plan could pay. */
export const maxUnits = 28_000

export const requestsFor = (spent: number) => Math.max(1, Math.ceil(spent / unitsOfARequest))

/** The requests that an operation takes from each budget. */
export type Bill = {
  storeRequests: number
  managementRequests: number
  /** Set if the operation asks for nothing else. */
  only: 'schema' | 'rateLimit' | null
}

/** An operation that cannot be read costs what a malformed request costs over REST. */
export const unreadableBill: Bill = { storeRequests: 1, managementRequests: 0, only: null }
