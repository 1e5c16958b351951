import type { ExecutionArgs } from 'graphql'
import type { FoundPets } from '../core/pets/bulk.ts'
import type { Validated } from './documents.ts'
import type { OperationPrice } from './prices.ts'

/** The arguments with which graphql-js runs a subscription. */
export type SubscriptionRequest = Pick<
  ExecutionArgs,
  'schema' | 'document' | 'variableValues' | 'operationName'
>

/** The state of an operation from request to answer. Apollo copies the context, but not this object. */
export type Operation = {
  /** The request's body; null for a method without a body. */
  body: Buffer | null
  isCharged: boolean
  /**
   * Bulk mutations that were charged before the operation ran, by response key. `paid` is what was charged for one
   * mutation. `found` is null if finding its pets failed.
   */
  bulk: Map<string, { paid: number; found: FoundPets | null }>
  /**
   * The result of checking the operation's text. Null until Apollo has the text: if the request has only the hash of
   * the text, Apollo must first find the text by the hash.
   */
  validated: Validated | null
  isMutation: boolean
  /** Set if the operation is a subscription: it is answered by a stream. */
  subscription: SubscriptionRequest | null
  /** True if the answer holds only the cost, so that nothing runs. */
  isExplained: boolean
  /** The key from the HTTP header. */
  idempotencyKey: string | null
  /** The `extensions` of the answer. */
  extensions: Record<string, unknown>
  /** Set if the answer may be cached; cleared if it has errors. */
  lasting: Lasting | null
  /**
   * A change of a pet whose id is higher than `lastId` does not change the answer. If `lastId` is null, any new pet may
   * change the answer.
   */
  lastId: bigint | null | undefined
}

/** `question` identifies a cacheable answer. `price` is the cost of returning the answer from the cache. */
export type Lasting = { of: 'pets' | 'schema'; question: string; price: OperationPrice }

export const newOperation = (): Operation => ({
  body: null,
  isCharged: false,
  bulk: new Map(),
  validated: null,
  isMutation: false,
  subscription: null,
  isExplained: false,
  idempotencyKey: null,
  extensions: {},
  lasting: null,
  lastId: undefined,
})
