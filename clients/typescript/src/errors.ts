import type { components } from './generated/openapi.ts'

/** Why the store refuses or fails; the contract's list is closed. */
export type ErrorCode = components['schemas']['ErrorCode']

/**
 * Codes that only the client gives. `connection_failed`: no answer came. `deadline_exceeded`: none came before the
 * call's deadline. `unexpected_answer`: the answer was not the store's, or not part of the contract.
 */
export type ClientErrorCode = 'connection_failed' | 'deadline_exceeded' | 'unexpected_answer'

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
 * Every failure of a call, by its `code`; an address or a key that cannot be one fails when the store is opened. An abort
 * throws the reason of its signal. An input that cannot be sent, such as a number that has lost digits, throws a RangeError.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: ErrorCode | ClientErrorCode
  /** The HTTP status, or null if no answer came. */
  readonly status: number | null
  /** Each faulty field, with code `invalid_input`. */
  readonly details: readonly FieldError[]
  /** The request's id in the service's log. */
  readonly requestId: string | null
  /** The wait that the store asked for before the next attempt. */
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
