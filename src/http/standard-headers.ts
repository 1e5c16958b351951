import type { RequestHandler } from 'express'
import helmet from 'helmet'
import type { Drain } from './drain.ts'
import { setHeadersAtOnce } from './headers.ts'

const exposedHeaders = [
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

/** What every answer says. Any page may call the store: a key is needed anyway, and no cookie is ever read. */
export const standardHeaders: readonly string[] = [
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
  ...['Access-Control-Allow-Origin', '*'],
  ...['Access-Control-Expose-Headers', exposedHeaders],
]

/** Every answer begins with the request's names and the standard headers; of a server that ends, also with its farewell. */
export function beginHeaders(drain: Drain): RequestHandler {
  return (_request, response, next) => {
    const { requestId, traceparent } = response.locals
    const headers = ['X-Request-Id', requestId, ...standardHeaders]
    if (traceparent !== undefined) headers.push('traceparent', traceparent)
    response.locals.headers = headers
    const doorShut = drain.doorShut()
    // Not before: who is sent away while the door is open comes back through it, and may stand in it when it shuts.
    if (doorShut === null) return next()
    headers.push('Connection', 'close')
    doorShut.then(() => next())
  }
}

/** What browsers obey on pages alone. Each page has a content policy of its own, since each loads something else. */
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
