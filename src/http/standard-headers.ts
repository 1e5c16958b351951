import cors from 'cors'
import type { RequestHandler } from 'express'
import helmet from 'helmet'
import { setHeadersAtOnce } from './headers.ts'

const exposedHeaders = [
  'Deprecation',
  'ETag',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
].join(',')

/** What every answer says. Any page may call the store: a key is needed anyway, and no cookie is ever read. */
export const standardHeaders: readonly string[] = [
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
  ...['Access-Control-Allow-Origin', '*'],
  ...['Access-Control-Expose-Headers', exposedHeaders],
]

/** Every answer begins with the standard headers, and a browser that asks what it may send is told so here. */
export const beginHeaders: RequestHandler = (request, response, next) => {
  response.locals.headers = ['X-Request-Id', response.locals.requestId, ...standardHeaders]
  if (request.method !== 'OPTIONS') return next()
  setHeadersAtOnce(request, response, () => answerPreflight(request, response, next))
}

const answerPreflight = cors({ methods: ['GET', 'HEAD', 'POST', 'OPTIONS'], maxAge: 86_400 })

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
