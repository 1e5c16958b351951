import type { Call } from './register.ts'

/** An attempt to create a pet with a unique name. */
export type Creation = { name: string; id: number | null; isRepeated: boolean; sentAt: number }

/** An acknowledged order. `closingAt` is when a client first asked to cancel or deliver it. */
export type PlacedOrder = {
  id: number
  petId: number
  placedAt: number
  closingAt: number
  closed: 'cancelled' | 'delivered' | null
}

/** A request of the project with the small limit. */
export type Limited = { sentAt: number; answeredAt: number; isAdmitted: boolean }

/** All that clients recorded. */
export type History = {
  /** Maps the id of each pet to the first name of the pet and to all calls that read or write the name of the pet. */
  registers: Map<number, { first: string; calls: Call[] }>
  creations: Creation[]
  orders: PlacedOrder[]
  limited: Limited[]
  /** Times at which a fault of Redis or of a process may have lost or doubled counts of limits. */
  uncounted: number[]
  /** Answers that no document promises. */
  wrong: string[]
}

/** The rows and events of one project at the end of the run. */
export type Stored = {
  pets: { id: number; name: string; status: string | null }[]
  orders: { id: number; petId: number; status: string }[]
  /** The inventory as the API returns it. */
  inventory: Record<string, unknown>
  /** `name` is the name of a pet after the event. */
  events: { number: number; type: string; subject: string; name: string }[]
}

export const emptyHistory = (): History => ({
  registers: new Map(),
  ...{ creations: [], orders: [], limited: [], uncounted: [], wrong: [] },
})
