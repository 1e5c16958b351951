import type { Deprecation } from './deprecations.ts'

/** A request costs the same whatever it brings, so pages are as large as the store gives them. */
export const largestPage = 100

/** How a call is made; what is left out is as the store was opened with. */
export type CallOptions = {
  /** Ends the call, a wait too; what is thrown is the signal's reason. */
  signal?: AbortSignal | undefined
  /**
   * The most that a call takes, its tries and waits together; of a list, each page; of an import, once its source has
   * ended. Two minutes, unless you say otherwise: longer than a minute's limit lasts.
   */
  deadlineMs?: number | undefined
  /** The most that one try waits for its answer: 15 seconds. */
  attemptMs?: number | undefined
  /** How often a try that failed is repeated at most, where that is safe: 5 times. */
  retries?: number | undefined
}

export type CreateOptions = CallOptions & {
  /** A name of your own for this creation, so that it is made once even if your program starts anew in between. */
  idempotencyKey?: string | undefined
}

export type ChangeOptions = CallOptions & {
  /** A tag (`etagOf`): if what it names has changed since, the call fails with `precondition_failed` and does nothing. */
  ifMatch?: string | undefined
}

export type StoreOptions = Omit<CallOptions, 'signal'> & {
  /** The store's address, with or without /v1. */
  url: string
  /** The project's API key. */
  key: string
  /** Hears once of each operation that your program uses and that will be removed. */
  onDeprecation?: ((deprecation: Deprecation) => void) | undefined
  /** Sends instead of the platform's own fetch. */
  fetch?: typeof fetch | undefined
}
