import type { Judged } from './documents.ts'
import type { Bill } from './prices.ts'

/** What becomes known of an operation between its request and its answer. Apollo copies the context, but not this object. */
export type Operation = {
  /** The request's body; null if its method has none. */
  body: Buffer | null
  isCharged: boolean
  /** Known once Apollo has found the text. */
  judged: Judged | null
  isMutation: boolean
  /** True if the cost is told and nothing runs. */
  isExplained: boolean
  /** From the HTTP header. */
  idempotencyKey: string | null
  /** The answer's `extensions`. */
  extensions: Record<string, unknown>
  /** Set if the answer may be cached; reset if it has errors. */
  lasting: Lasting | null
  /** The highest id on the pages of such an answer; null if a page is not full. */
  lastId: bigint | null | undefined
}

/** What an answer is made of and depends on beside that, and what asking for it costs. */
export type Lasting = { of: 'pets' | 'schema'; question: string; bill: Bill }

export const newOperation = (): Operation => ({
  body: null,
  isCharged: false,
  judged: null,
  isMutation: false,
  isExplained: false,
  idempotencyKey: null,
  extensions: {},
  lasting: null,
  lastId: undefined,
})
