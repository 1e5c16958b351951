import { Router } from 'express'
import { LRUCache } from 'lru-cache'
import type { ServedHost } from '../core/domains/served-hosts.ts'
import { StoreError } from '../core/errors.ts'
import { urlOfHost } from '../http/host-name.ts'
import { type Reference, renderReference, sendReference } from '../reference/reference.ts'
import type { Tools } from '../tools.ts'
import { sendSuspended } from './suspended-page.ts'

const alsoServed = /^\/(openapi\.(yaml|json)|schema\.graphql|livez|readyz)(\/|$)/

/** Serves a project's reference page at its hosts, beside `/v1` and `/graphql`. Other pages are 404. */
export function projectRouter({ config, hosting }: Tools): Router {
  const router = Router({ strict: true, caseSensitive: true })
  const pageOf = keepPages(config.graphqlIntrospection)

  /** Returns the canonical URL: the primary host, if it is served and still belongs to this project. */
  async function canonicalOf({ name, projectId, page: { primary } }: ServedHost): Promise<string> {
    const found = await hosting.hosts.find(primary)
    return `https://${found?.projectId === projectId ? primary : name}/`
  }

  router.use((_request, response, next) => {
    const { host } = response.locals
    if (!host?.isSuspended) return next()
    response.locals.route = 'suspended'
    sendSuspended(response, host.page.title)
  })
  router.get('/', async (request, response, next) => {
    const { host } = response.locals
    if (!host) return next()
    response.locals.route = '/'
    const page = pageOf(host.page, urlOfHost(request, host.name), await canonicalOf(host))
    sendReference(request, response, await page)
  })
  router.use((request, response, next) => {
    if (response.locals.host && !alsoServed.test(request.path)) {
      throw new StoreError('not_found', 'There is nothing at this address.')
    }
    next()
  })
  return router
}

/** Caches rendered pages. Renders a page at its first request, and again after a deploy has changed it. */
function keepPages(
  showsGraphql: boolean,
): (page: ServedHost['page'], address: string, canonical: string) => Promise<Reference> {
  const pages = new LRUCache<string, Promise<Reference>>({ max: 100 })
  return ({ title, description }, address, canonical) => {
    const key = JSON.stringify([title, description, canonical, address])
    const page =
      pages.get(key) ??
      renderReference({
        title,
        description,
        baseUrl: `${address}/v1`,
        canonical,
        showsGraphql,
      })
    pages.set(key, page)
    return page
  }
}
