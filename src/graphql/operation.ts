import type { FoundPets } from '../core/pets/bulk.ts'
import type { Judged } from './documents.ts'
import type { Bill } from './prices.ts'

/** The state of an operation between its request and its answer. Apollo copies the context, but not this object. */
export type Operation = {
  /** The request's body; null if its method has none. */
  body: Buffer | null
  isCharged: boolean
  /** The pets of bulk mutations, found and paid for before the operation ran, by response key. */
  bulk: Map<string, FoundPets>
  /** Set once Apollo has found the text. */
  judged: Judged | null
  isMutation: boolean
  /** True if the answer holds only the cost and nothing runs. */
  isExplained: boolean
  /** From the HTTP header. */
  idempotencyKey: string | null
  /** The answer's `extensions`. */
  extensions: Record<string, unknown>
  /** Set if the answer may be cached; reset if it has errors. */
  lasting: Lasting | null
  /** The highest id on the pages of the answer; null if a page is not full. */
  lastId: bigint | null | undefined
}

/** The question of an answer that may be cached, and the cost of sending it again. */
export type Lasting = { of: 'pets' | 'schema'; question: string; bill: Bill }

export const newOperation = (): Operation => ({
  body: null,
  isCharged: false,
  bulk: new Map(),
  judged: null,
  isMutation: false,
  isExplained: false,
  idempotencyKey: null,
  extensions: {},
  lasting: null,
  lastId: undefined,
})
