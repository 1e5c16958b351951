import type { IncomingMessage, ServerResponse } from 'node:http'
import cors from 'cors'
import type { RequestHandler } from 'express'
import helmet from 'helmet'
import { gatherHeader } from './gathered-headers.ts'

/** Helmet's headers are the same for every answer: asked for once, they cost nothing per request. */
export const safetyHeaders = recordHelmet()

export const setSafetyHeaders: RequestHandler = (_request, response, next) => {
  for (const [name, value] of safetyHeaders) gatherHeader(response, name, value)
  next()
}

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

/** Any page may call the store: a key is needed anyway, and no cookie is ever read. */
export const allowAnyOrigin: RequestHandler = (request, response, next) => {
  gatherHeader(response, 'Access-Control-Allow-Origin', '*')
  gatherHeader(response, 'Access-Control-Expose-Headers', exposedHeaders)
  if (request.method === 'OPTIONS') answerPreflight(request, response, next)
  else next()
}

function recordHelmet(): [string, string][] {
  const recorded: [string, string][] = []
  const response = {
    setHeader: (name: string, value: string) => recorded.push([name, value]),
    removeHeader: () => {},
  }
  helmet()({} as IncomingMessage, response as unknown as ServerResponse, () => {})
  return recorded
}
