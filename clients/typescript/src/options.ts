import type { Deprecation } from './deprecations.ts'

/** The default page size is the largest one, because a request costs the same for any size. */
export const largestPage = 100

/** Options of one call. Absent options default to those of the store. */
export type CallOptions = {
  /** Aborts the call, even while it waits. The call then throws the signal's reason. */
  signal?: AbortSignal | undefined
  /**
   * Time limit for a whole call, including its retries and waits. For a list, the limit applies to each page. For an
   * import, it begins when the source has been read. Default: two minutes, which is longer than a minute's rate limit
   * window.
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
