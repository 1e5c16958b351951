import express, { type RequestHandler, Router } from 'express'
import { protectPage } from '../http/standard-headers.ts'
import { emptyKey, firstQuery } from './sandbox.ts'

/** Everything comes from here; only styles are written into the page by the editor itself. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "frame-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

const options = {
  baseURL: '/graphql/ide/',
  endpointURL: '/graphql',
  initialQuery: firstQuery('Under Auth or Headers, send'),
  initialHeaders: emptyKey,
  initialSettings: { 'banners.disable': true },
  disableAccount: true,
  serveInitialOptionsInSeperateRequest: 'start.js',
}

/** The Altair editor from our own files, for when Sandbox cannot be loaded; read from disk when it is first asked for. */
export function ideRouter(): Router {
  const router = Router()
  const files: RequestHandler[] = []
  router.use((_request, response, next) => {
    response.locals.route = '/graphql/ide'
    next()
  }, protectPage(policy))
  router.get('/', async (_request, response) => {
    const altair = await import('altair-static')
    response.type('html').send(altair.renderAltair(options))
  })
  router.get('/start.js', async (_request, response) => {
    const altair = await import('altair-static')
    response.type('js').send(altair.renderInitialOptions(options))
  })
  // The frame for a user's own scripts has no rights on this origin.
  router.use('/iframe-sandbox', (_request, response, next) => {
    response.setHeader('Content-Security-Policy', 'sandbox allow-scripts')
    next()
  })
  router.use(async (request, response, next) => {
    const altair = await import('altair-static')
    files[0] ??= express.static(altair.getDistDirectory(), { index: false, maxAge: '1h' })
    files[0](request, response, next)
  })
  return router
}
