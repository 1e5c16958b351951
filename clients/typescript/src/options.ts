import type { Deprecation } from './deprecations.ts'

/** The default page size, which is the largest: a request costs the same for any size. */
export const largestPage = 100

/** Options of one call. Absent ones are taken from the store. */
export type CallOptions = {
  /** Aborts the call, also while it waits; the call throws the signal's reason. */
  signal?: AbortSignal | undefined
  /**
   * Time limit for a whole call with its retries and waits; for a list, for each page; for an import, from the end of
   * its source. Default: two minutes, which is longer than a minute's window.
   */
  deadlineMs?: number | undefined
  /** Timeout of one attempt. Default: 15 seconds; for the test of a webhook 25 seconds. */
  attemptMs?: number | undefined
  /** The most retries, where retrying is safe. Default: 5. */
  retries?: number | undefined
}

export type CreateOptions = CallOptions & {
  /** Your own idempotency key, so that the pet or order is created once even if your program restarts. */
  idempotencyKey?: string | undefined
}

export type ChangeOptions = CallOptions & {
  /**
   * A tag from `etagOf`. If the object has changed since, the call fails with `precondition_failed` and changes
   * nothing.
   */
  ifMatch?: string | undefined
}

export type StoreOptions = Omit<CallOptions, 'signal'> & {
  /** The store's address, with or without /v1. */
  url: string
  /** The project's API key. */
  key: string
  /** Called once for each deprecated operation that your program uses. */
  onDeprecation?: ((deprecation: Deprecation) => void) | undefined
  /** A function to use instead of the platform's fetch. */
  fetch?: typeof fetch | undefined
}
