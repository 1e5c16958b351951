import type { ErrorRequestHandler, RequestHandler, Response } from 'express'
import { type ErrorCode, StoreError } from '../core/errors.ts'
import { isStopped, poolFull, whyUnavailable } from '../database/faults.ts'
import type { Tools } from '../tools.ts'
import { answerJsonBytes, bodyLimitBytes, bytesOf } from './answer.ts'
import { keepNowhere } from './caching.ts'
import { addHeader } from './headers.ts'
import { noteRefusedTry } from './refused-tries.ts'

/** The only table from error code to HTTP status. GraphQL returns these numbers as extensions.status. */
export const statusOf = {
  invalid_input: 400,
  malformed_request: 400,
  operation_too_complex: 400,
  unauthorized: 401,
  insufficient_scope: 403,
  foreign_origin: 403,
  plan_required: 403,
  project_suspended: 403,
  pet_not_found: 404,
  category_not_found: 404,
  order_not_found: 404,
  event_not_found: 404,
  project_not_found: 404,
  api_key_not_found: 404,
  deploy_not_found: 404,
  domain_not_found: 404,
  endpoint_not_found: 404,
  member_not_found: 404,
  invitation_not_found: 404,
  device_code_not_found: 404,
  session_not_found: 404,
  passkey_not_found: 404,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  project_exists: 409,
  api_key_ended: 409,
  order_exists: 409,
  order_state: 409,
  pet_not_available: 409,
  pet_in_order: 409,
  idempotency_in_flight: 409,
  deploy_required: 409,
  too_many_domains: 409,
  too_many_endpoints: 409,
  too_many_api_keys: 409,
  too_many_members: 409,
  last_owner: 409,
  gone: 410,
  event_expired: 410,
  precondition_failed: 412,
  body_too_large: 413,
  unsupported_media_type: 415,
  misdirected_host: 421,
  idempotency_mismatch: 422,
  rate_limited: 429,
  verify_too_soon: 429,
  too_many_orders: 429,
  key_banned: 429,
  headers_too_large: 431,
  internal_error: 500,
  not_implemented: 501,
  unavailable: 503,
  http_version_not_supported: 505,
} as const satisfies Record<ErrorCode, number>

/** Returns the JSON of the specification's Error; `details` lists the invalid fields, if any. */
export function errorBody(error: StoreError): string {
  const { code, message, details } = error
  const body = { code, message, status: statusOf[code] }
  return JSON.stringify(details.length > 0 ? { ...body, details } : body)
}

/** Converts a thrown value to a StoreError. A bug becomes `internal_error` without details. */
export function toStoreError(thrown: unknown): StoreError {
  if (thrown instanceof StoreError) return thrown
  const why = whyUnavailable(thrown)
  if (why) {
    const what = why.reason === poolFull ? 'The store is busy' : 'The store cannot reach its database'
    return new StoreError('unavailable', `${what}; try again in a moment.`, { retryAfterSeconds: 1 })
  }
  // Express and the body parser that Studio uses mark client errors with a status.
  const status = thrown instanceof Error && 'status' in thrown ? thrown.status : 500
  if (status === 413) return bodyTooLarge((thrown as { limit?: number }).limit ?? bodyLimitBytes)
  if (status === 415)
    return new StoreError('unsupported_media_type', 'The body must be application/json in UTF-8.')
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new StoreError('malformed_request', 'The request is malformed.')
  }
  return new StoreError(
    'internal_error',
    'Something went wrong on our side. Name the X-Request-Id when you report it.',
  )
}

export const bodyTooLarge = (mostBytes: number) =>
  new StoreError('body_too_large', `The body is larger than ${sizeOf(mostBytes)}.`)

export const versionNotSupported = () =>
  new StoreError('http_version_not_supported', 'Send HTTP/1.0 or HTTP/1.1.')

const sizeOf = (bytes: number) => (bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes / 1e6} MB`)

export const refuseUnknownPath: RequestHandler = (_request, _response, next) =>
  next(new StoreError('not_found', 'There is nothing at this address.'))

/** Logs a bug in full. An unavailable database is logged once per outage. */
export function noteFault(
  { log, database }: Pick<Tools, 'log' | 'database'>,
  thrown: unknown,
  found: { requestId: string; path?: readonly (string | number)[] | undefined },
): void {
  const { code } = toStoreError(thrown)
  if (code === 'unavailable') database.outage.note(thrown)
  if (code === 'internal_error') log.error({ ...found, error: thrown }, 'unhandled error')
}

/** Logs an error of a request. Destroys the connection if the answer has begun and cannot continue. */
export function noteThrown(tools: Tools, response: Response, thrown: unknown): void {
  const { requestId, isRefused, route = 'none', operation } = response.locals
  if (!isRefused || !isSaidTwice(thrown)) noteFault(tools, thrown, { requestId })
  if (isStopped(thrown)) response.locals.isStopped = true
  noteRefusedTry(tools, response, thrown, operation ?? `${response.req.method} ${route}`)
  // If the fault is in the body of the request, keep the connection, so that the client can read the error.
  if (response.headersSent && !isRefused) response.destroy()
}

const isSaidTwice = (thrown: unknown) =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_HTTP_HEADERS_SENT'

export function answerErrors(tools: Tools): ErrorRequestHandler {
  return (thrown, _request, response, _next) => {
    noteThrown(tools, response, thrown)
    if (response.headersSent) return
    const error = toStoreError(thrown)
    addErrorHeaders(response, error)
    answerJsonBytes(response, statusOf[error.code], bytesOfError(error))
  }
}

/** Caches the JSON of errors that are thrown again and again, as in a flood of requests. */
function bytesOfError(error: StoreError): string {
  const known = spelled.get(error)
  if (known) return known
  const bytes = bytesOf(errorBody(error))
  spelled.set(error, bytes)
  return bytes
}

const spelled = new WeakMap<StoreError, string>()

/** Adds the headers of an error, the same for REST and GraphQL. */
export function addErrorHeaders(response: Response, { code, retryAfterSeconds }: StoreError): void {
  keepNowhere(response)
  if (retryAfterSeconds !== undefined) addHeader(response, 'Retry-After', String(retryAfterSeconds))
  if (code === 'unauthorized') addHeader(response, 'WWW-Authenticate', 'Bearer')
}
