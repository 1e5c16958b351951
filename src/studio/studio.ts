import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { json, type Request, type RequestHandler, Router } from 'express'
import { actAs } from '../core/acts.ts'
import { StoreError } from '../core/errors.ts'
import { actOf } from '../http/acts.ts'
import { findOperator, refuseAnonymous } from '../http/authenticate.ts'
import { protectPage } from '../http/standard-headers.ts'
import { readFolder, type StaticFile, sendFile } from '../http/static-files.ts'
import type { Tools } from '../tools.ts'
import { openStudio } from './queries.ts'

const built = fileURLToPath(new URL('../../dist/studio', import.meta.url))

/**
 * Studio sets inline styles at run time. Scripts and connections are limited to this host, so Studio cannot report
 * elsewhere.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Serves Prisma Studio on the embedded database, which only the running process can open. */
export function studioRouter(tools: Tools): Router {
  const { lend } = tools.database
  const router = Router({ strict: true, caseSensitive: true })
  if (lend === null) return router

  // Read the log of changes after each write, so that the caches of this process learn of edited rows at once. No other
  // process serves the embedded database. Ignore errors of the read: while the log cannot be read, nothing is served
  // from the caches.
  const answerStudio = openStudio(lend, () => tools.changes.read().catch(() => {}))
  let files = new Map<string, StaticFile>()
  router.use((request, response, next) => {
    response.locals.route = '/studio'
    if (!isFromThisMachine(request)) throw new StoreError('not_found', 'There is nothing at this address.')
    next()
  })
  router.post('/key', requireOperator(tools), (_request, response) => void response.status(204).end())
  router.post('/query', requireOperator(tools), json({ limit: '1mb' }), async (request, response) => {
    response.setHeader('Cache-Control', 'no-store')
    const act = () => actOf(tools.config, request, response)
    response.json(await actAs(act, () => answerStudio(request.body)))
  })
  router.get('/{*name}', (request, response) => {
    if (files.size === 0) files = readFolder(built)
    const asset = files.get(request.path.slice(1))
    if (asset) return sendFile(request, response, asset, { lasting: request.path.startsWith('/assets/') })
    const page = files.get('index.html')
    if (!page)
      throw new StoreError('not_found', 'Prisma Studio is not built yet: npm run studio builds and opens it.')
    protectPage(policy)(request, response, () => sendFile(request, response, page))
  })
  return router
}

/**
 * True if this client gets Studio's page: the database is embedded, the page is built, and the client is on this
 * machine.
 */
export const hasStudio = ({ database }: Tools, request: Request): boolean =>
  database.lend !== null && isFromThisMachine(request) && existsSync(join(built, 'index.html'))

const loopback = /^(127\.|::1$|::ffff:127\.)/
const ownName = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** True for a direct connection from this machine; false for requests of proxies or for another host. */
function isFromThisMachine({ socket, headers }: Request): boolean {
  const passedOn = headers.forwarded ?? headers['x-forwarded-for'] ?? headers.via
  return (
    passedOn === undefined && loopback.test(socket.remoteAddress ?? '') && ownName.test(headers.host ?? '')
  )
}

function requireOperator(tools: Tools): RequestHandler {
  return async (request, response, next) => {
    const operator = await findOperator(tools, request)
    if (!operator) throw await refuseAnonymous(tools, request, response)
    response.locals.operator = operator
    next()
  }
}
