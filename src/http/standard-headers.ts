import type { IncomingMessage, ServerResponse } from 'node:http'
import cors from 'cors'
import type { RequestHandler } from 'express'
import helmet from 'helmet'
import { beginWith, linesOf } from './gathered-headers.ts'

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

const answerPreflight = cors({ methods: ['GET', 'HEAD', 'POST', 'OPTIONS'], maxAge: 86_400 })

/**
 * Helmet's headers are the same for every answer: asked for once, they cost nothing per request. And any page may call the
 * store: a key is needed anyway, and no cookie is ever read.
 */
export const standardHeaders = [
  ...recordHelmet(),
  ...['Access-Control-Allow-Origin', '*'],
  ...['Access-Control-Expose-Headers', exposedHeaders],
]

const always = { headers: standardHeaders, lines: linesOf(standardHeaders) }

export const setStandardHeaders: RequestHandler = (request, response, next) => {
  beginWith(response, always)
  if (request.method === 'OPTIONS') answerPreflight(request, response, next)
  else next()
}

function recordHelmet(): string[] {
  const recorded: string[] = []
  const response = {
    setHeader: (name: string, value: string) => recorded.push(name, value),
    removeHeader: () => {},
  }
  helmet()({} as IncomingMessage, response as unknown as ServerResponse, () => {})
  return recorded
}
