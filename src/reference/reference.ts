import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Request, type Response, Router } from 'express'
import { protectPage } from '../http/standard-headers.ts'
import { makeFile, type StaticFile, sendFile } from '../http/static-files.ts'
import type { Tools } from '../tools.ts'
import type { ReferenceOptions } from './page.ts'

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The page has one inline script and one inline style. The policy allows only their hashes. */
const policy = (baseUrl: string, script: string, style: string) =>
  [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    'img-src data:',
    `connect-src 'self' ${new URL(baseUrl).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

export type Reference = { page: StaticFile; policy: string }

/**
 * Renders the reference with the title and URL of the service or of a project's host. Loads the renderer on the first
 * use, which makes every start faster.
 */
export async function renderReference(options: ReferenceOptions): Promise<Reference> {
  const { renderPage, script, style } = await import('./page.ts')
  return {
    page: makeFile('text/html; charset=utf-8', renderPage(options)),
    policy: policy(options.baseUrl, script, style),
  }
}

/**
 * Builds the content of all references in advance. It takes 0.4 s of CPU, for which the first reader and all other
 * requests would have to wait.
 */
export async function loadReference(): Promise<void> {
  const { content } = await import('./page.ts')
  await nextTurn()
  content()
}

export function sendReference(request: Request, response: Response, { page, policy }: Reference): void {
  protectPage(policy)(request, response, () => sendFile(request, response, page))
}

export function referenceRouter({ config }: Tools): Router {
  const baseUrl = `${config.publicUrl}/v1`
  let reference: Promise<Reference> | undefined
  const router = Router({ strict: true, caseSensitive: true })
  router.get('/', (_request, response) => {
    response.locals.route = '/'
    response.redirect('/reference')
  })
  router.get('/reference', async (request, response) => {
    response.locals.route = '/reference'
    reference ??= renderReference({
      title: 'Animal Store',
      description: null,
      baseUrl,
      dashboard: '/dashboard/',
      showsGraphql: config.graphqlIntrospection,
    })
    sendReference(request, response, await reference)
  })
  return router
}
