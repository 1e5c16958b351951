import type { Deprecation } from './deprecations.ts'

/** A request costs the same for any page size, so ask for the largest. */
export const largestPage = 100

/** Options of one call; absent ones come from the store. */
export type CallOptions = {
  /** Aborts the call, also while it waits; the call throws the signal's reason. */
  signal?: AbortSignal | undefined
  /**
   * Limit for a whole call with its retries and waits; for a list, each page; for an import, after its source has
   * ended. Default: two minutes, longer than a minute's limit lasts.
   */
  deadlineMs?: number | undefined
  /** Timeout of one attempt. Default: 15 seconds. */
  attemptMs?: number | undefined
  /** Maximum number of retries, where retrying is safe. Default: 5. */
  retries?: number | undefined
}

export type CreateOptions = CallOptions & {
  /** Your own idempotency key, so that the creation happens once even if your program restarts. */
  idempotencyKey?: string | undefined
}

export type ChangeOptions = CallOptions & {
  /**
   * A tag from `etagOf`. If the thing has changed since, the call fails with `precondition_failed` and does nothing.
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
  /** Replaces the platform's fetch. */
  fetch?: typeof fetch | undefined
}
