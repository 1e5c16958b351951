import type { components } from './generated/openapi.ts'

/** Why the store refused or failed: one of the contract's codes. */
export type ErrorCode = components['schemas']['ErrorCode']

/**
 * Codes of errors that the client itself detects. `connection_failed`: no answer came. `deadline_exceeded`: no answer
 * came before the call's deadline. `unexpected_answer`: the answer was not the store's, or not as in the contract.
 * `invalid_signature`: a webhook's request is not the store's.
 */
export type ClientErrorCode =
  | 'connection_failed'
  | 'deadline_exceeded'
  | 'unexpected_answer'
  | 'invalid_signature'

/** One invalid field of the request. */
export type FieldError = components['schemas']['FieldError']

type Circumstances = {
  status?: number | null
  details?: FieldError[]
  requestId?: string | null
  retryAfterSeconds?: number | null
  cause?: unknown
}

/**
 * The error of every failed call. If a header cannot hold `idempotencyKey` or `ifMatch`, the call fails with this error
 * before the call is sent. Opening the store also throws this error if the address or the key is invalid. If the
 * caller's signal aborts the call, the call throws the signal's reason instead. If the input contains a JavaScript
 * number that is an integer beyond 53 bits, the call throws a RangeError.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: ErrorCode | ClientErrorCode
  /** The HTTP status; null if no answer came. */
  readonly status: number | null
  /** The invalid fields, if the code is `invalid_input`. */
  readonly details: readonly FieldError[]
  /** The request's id in the service's log. */
  readonly requestId: string | null
  /** Seconds to wait before the next attempt, if the store asked for that. */
  readonly retryAfterSeconds: number | null

  constructor(code: ErrorCode | ClientErrorCode, message: string, circumstances: Circumstances = {}) {
    const { status = null, details = [], requestId = null, retryAfterSeconds = null, cause } = circumstances
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status
    this.details = details
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * Returns why fetch has failed, for a message: the code of Node.js, such as ` (CERT_HAS_EXPIRED)`. Browsers do not say
 * why.
 */
export function reasonOf(failure: unknown): string {
  const code = (failure as { cause?: { code?: unknown } } | undefined)?.cause?.code
  return typeof code === 'string' ? ` (${code})` : ''
}

/** Returns the error for an invalid input. The error never quotes the input, because the input may be a secret. */
export function invalidInput(field: string, message: string): StoreError {
  return new StoreError('invalid_input', `${field} ${message}.`, { details: [{ field, message }] })
}
