import type { IncomingMessage, ServerResponse } from 'node:http'
import cors from 'cors'
import type { RequestHandler } from 'express'
import helmet from 'helmet'

/** Helmet's headers are the same for every answer: asked for once, they cost nothing per request. */
export const safetyHeaders = recordHelmet()

export const setSafetyHeaders: RequestHandler = (_request, response, next) => {
  for (const [name, value] of safetyHeaders) response.setHeader(name, value)
  next()
}

/** Any page may call the store: a key is needed anyway, and no cookie is ever read. */
export const allowAnyOrigin = cors({
  methods: ['GET', 'HEAD', 'POST', 'OPTIONS'],
  exposedHeaders: [
    'Deprecation',
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
  ],
  maxAge: 86_400,
})

function recordHelmet(): [string, string][] {
  const recorded: [string, string][] = []
  const response = {
    setHeader: (name: string, value: string) => recorded.push([name, value]),
    removeHeader: () => {},
  }
  helmet()({} as IncomingMessage, response as unknown as ServerResponse, () => {})
  return recorded
}
