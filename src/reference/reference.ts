import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Request, type Response, Router } from 'express'
import { LRUCache } from 'lru-cache'
import { weightOf } from '../http/packing.ts'
import { protectPage } from '../http/standard-headers.ts'
import { makeFile, type StaticFile, sendFile } from '../http/static-files.ts'
import type { Tools } from '../tools.ts'
import type { ReferenceOptions } from './page.ts'

/**
 * Finds the files of one host's reference by path: the pages, the Markdown of the pages, and the search index. Each
 * file is rendered at the first request for the file.
 */
export type Reference = { find(path: string): StaticFile | null; policy: string }

/**
 * The files that were requested last, at all hosts. Without a bound in bytes, a client that opens all pages of many hosts
 * could fill the memory.
 */
const files = new LRUCache<string, StaticFile>({
  maxSize: 64 * 1024 * 1024,
  sizeCalculation: ({ bytes }) => weightOf(bytes),
})

/**
 * Opens the reference with the title and URLs of the service or of a project's host. Loads the renderer on the first
 * use, which makes every start faster.
 */
export async function openReference(options: ReferenceOptions): Promise<Reference> {
  const { policyAt, showPage, writeIndex, writeMarkdown } = await import('./page.ts')
  const { searchFileOf } = await import('./search-index.ts')
  const site = JSON.stringify(options)

  function render(path: string): StaticFile | null {
    if (path === 'llms.txt') return makeFile('text/plain; charset=utf-8', writeIndex(options))
    if (path === 'start') return null
    const name = path.replace(/\.md$/, '')
    const slug = name === 'start' ? '' : name
    const [type, text] = path.endsWith('.md')
      ? ['text/markdown; charset=utf-8', writeMarkdown(options, slug)]
      : ['text/html; charset=utf-8', showPage(options, slug)]
    return text === null ? null : makeFile(type, text)
  }

  return {
    find(path) {
      if (path === 'search.json') return searchFileOf(options)
      const key = `${path} ${site}`
      const file = files.get(key) ?? render(path)
      if (file) files.set(key, file)
      return file
    },
    policy: policyAt(options.baseUrl),
  }
}

/**
 * Builds in advance the content that the references of all hosts share. Building takes 0.4 s of CPU. Without this
 * function, the first request for a page would build the content, and all other requests would have to wait.
 */
export async function loadReference(): Promise<void> {
  const { content } = await import('./pages.ts')
  await nextTurn()
  content()
}

/** Sends a page of the reference. False if there is none at this path. */
export function sendReference(
  request: Request,
  response: Response,
  { find, policy }: Reference,
  path: string,
): boolean {
  const file = find(path)
  if (file) protectPage(policy)(request, response, () => sendFile(request, response, file))
  return file !== null
}

/** Serves the reference's pages other than its start: `/reference/...` and `/llms.txt`. */
export function referencePages(
  open: (request: Request, response: Response) => Promise<Reference | null>,
): Router {
  const router = Router({ strict: true, caseSensitive: true })
  router.get('/llms.txt', async (request, response, next) => {
    const reference = await open(request, response)
    response.locals.route = '/llms.txt'
    if (!reference || !sendReference(request, response, reference, 'llms.txt')) next()
  })
  // Some clients and people add a slash to an address.
  router.get('/reference/*path/', (request, response) => {
    response.locals.route = '/reference/{page}'
    response.redirect(request.path.slice(0, -1))
  })
  router.get('/reference/*path', async (request, response, next) => {
    const reference = await open(request, response)
    response.locals.route = '/reference/{page}'
    if (!reference || !sendReference(request, response, reference, request.path.slice('/reference/'.length)))
      next()
  })
  return router
}

export function referenceRouter({ config }: Tools): Router {
  let reference: Promise<Reference> | undefined
  const open = () => {
    reference ??= openReference({
      title: 'Animal Store',
      description: null,
      baseUrl: `${config.publicUrl}/v1`,
      home: '/reference',
      dashboard: '/dashboard/',
      showsGraphql: config.graphqlIntrospection,
    })
    return reference
  }
  const router = Router({ strict: true, caseSensitive: true })
  router.get('/', (_request, response) => {
    response.locals.route = '/'
    response.redirect('/reference')
  })
  router.get('/reference/', (_request, response) => {
    response.locals.route = '/reference'
    response.redirect('/reference')
  })
  router.get('/reference', async (request, response) => {
    response.locals.route = '/reference'
    sendReference(request, response, await open(), '')
  })
  router.use(referencePages(open))
  return router
}
