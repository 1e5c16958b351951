import type { RequestHandler } from 'express'
import helmet from 'helmet'
import type { Drain } from './drain.ts'
import { setHeadersAtOnce } from './headers.ts'

const exposedHeaders = [
  'Accept-Encoding',
  'Accept-Patch',
  'Allow',
  'Content-Disposition',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-RateLimit-Cost',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
  'traceparent',
].join(',')

/** The headers of every answer. Any origin may call the store, because it requires a key and reads no cookies. */
export const standardHeaders: readonly string[] = [
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Access-Control-Allow-Origin', '*'],
  ...['Access-Control-Expose-Headers', exposedHeaders],
]

/**
 * Sent only at the service's own addresses. Omits includeSubDomains, because hosts of projects may be subdomains without
 * a certificate.
 */
const promiseOfHttps = ['Strict-Transport-Security', 'max-age=31536000']

/** Adds the ids of the request and the standard headers to every answer, and `Connection: close` during the drain. */
export function beginHeaders(drain: Drain): RequestHandler {
  return (_request, response, next) => {
    const { requestId, traceparent } = response.locals
    const headers = ['X-Request-Id', requestId, ...standardHeaders, ...promiseOfHttps]
    if (traceparent !== undefined) headers.push('traceparent', traceparent)
    response.locals.headers = headers
    const closed = drain.listenerClosed()
    // Send `Connection: close` only after the listener is closed; earlier, the client would reconnect and could be cut
    // off.
    if (closed === null) return next()
    headers.push('Connection', 'close')
    closed.then(() => next())
  }
}

/**
 * Adds security headers that matter only for pages. Each page passes its own policy, because each loads other files.
 */
export function protectPage(policy: string): RequestHandler {
  return (request, response, next) => {
    setHeadersAtOnce(request, response, () => {
      response.setHeader('Content-Security-Policy', policy)
      protect(request, response, next)
    })
  }
}

const protect = helmet({
  contentSecurityPolicy: false,
  strictTransportSecurity: false,
  xContentTypeOptions: false,
})
