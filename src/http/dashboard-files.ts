import { fileURLToPath } from 'node:url'
import { type Request, Router } from 'express'
import { StoreError } from '../core/errors.ts'
import { removeHeader } from './headers.ts'
import { protectPage } from './standard-headers.ts'
import { makeFile, readFolder, type StaticFile, sendFile } from './static-files.ts'

const built = fileURLToPath(new URL('../../dist/dashboard', import.meta.url))

/**
 * Allows only files of this origin and nothing inline, so that an injected script could neither run nor send the key
 * away.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** Returns the names of the pages outside the dashboard to which the dashboard links. */
type FindBeside = (request: Request) => readonly string[]

/**
 * Serves the built dashboard. All its pages are one document; the browser chooses which page to show. The document
 * contains the names that `findBeside` returns, so that the browser need not request them.
 */
export function dashboardRouter(findBeside: FindBeside, folder = built): Router {
  let files: Map<string, StaticFile> | undefined
  const find = (name: string) => {
    files ??= readFolder(folder)
    return files.get(name)
  }
  const pages = new Map<string, StaticFile>()
  const findPage = (beside: string) => {
    const page = find('index.html')
    if (!page || pages.has(beside)) return pages.get(beside)
    const named = page.bytes
      .toString()
      .replace('name="beside" content=""', `name="beside" content="${beside}"`)
    pages.set(beside, makeFile(page.type, named))
    return pages.get(beside)
  }
  const router = Router({ strict: true, caseSensitive: true })
  router.use((request, response, next) => {
    response.locals.route = '/dashboard'
    if (request.method === 'GET' || request.method === 'HEAD') return next()
    response.setHeader('Allow', 'GET, HEAD')
    throw new StoreError('method_not_allowed', 'The dashboard allows only GET and HEAD.')
  })
  router.get('/assets/*name', (request, response) => {
    const file = find(request.path.slice(1))
    if (!file) throw new StoreError('not_found', 'There is nothing at this address.')
    // Only pages of this origin load these files, and the first load must stay small.
    removeHeader(response, 'Access-Control-Expose-Headers')
    sendFile(request, response, file, { lasting: true })
  })
  router.use(protectPage(policy), (request, response) => {
    const page = findPage(findBeside(request).join(' '))
    if (!page) throw new StoreError('not_found', 'The dashboard is not built: run npm run build.')
    sendFile(request, response, page)
  })
  return router
}
