/** All error codes of the service. docs/errors.md explains each to clients. */
export const errorCodes = [
  'invalid_input',
  'malformed_request',
  'unauthorized',
  'insufficient_scope',
  'foreign_origin',
  'project_suspended',
  'pet_not_found',
  'category_not_found',
  'order_not_found',
  'event_not_found',
  'project_not_found',
  'api_key_not_found',
  'api_key_ended',
  'not_found',
  'method_not_allowed',
  'not_acceptable',
  'request_timeout',
  'project_exists',
  'order_exists',
  'order_state',
  'pet_not_available',
  'pet_in_order',
  'idempotency_in_flight',
  'gone',
  'event_expired',
  'precondition_failed',
  'body_too_large',
  'unsupported_media_type',
  'idempotency_mismatch',
  'plan_required',
  'deploy_required',
  'deploy_not_found',
  'domain_not_found',
  'too_many_domains',
  'endpoint_not_found',
  'member_not_found',
  'invitation_not_found',
  'device_code_not_found',
  'session_not_found',
  'passkey_not_found',
  'too_many_endpoints',
  'too_many_api_keys',
  'too_many_members',
  'last_owner',
  'verify_too_soon',
  'too_many_orders',
  'misdirected_host',
  'rate_limited',
  'key_banned',
  'headers_too_large',
  'operation_too_complex',
  'internal_error',
  'not_implemented',
  'unavailable',
  'http_version_not_supported',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** A fault of one input field. `line` is set if the input has many records. */
export type Fault = { field: string; message: string; line?: number }

export class StoreError extends Error {
  readonly code: ErrorCode
  readonly details: Fault[]
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    more: { details?: Fault[]; retryAfterSeconds?: number } = {},
  ) {
    // Skip the stack trace: a refusal is a normal answer, and capturing a stack is expensive.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.code = code
    this.details = more.details ?? []
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

/** Creates an `invalid_input` error whose message names every faulty field. */
export function invalidInput(faults: Fault[]): StoreError {
  const message = faults.map(fault => `${fault.field} ${fault.message}`).join('; ')
  return new StoreError('invalid_input', `${message}.`, { details: faults })
}
