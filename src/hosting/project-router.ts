import { Router } from 'express'
import { LRUCache } from 'lru-cache'
import type { ServedHost } from '../core/domains/served-hosts.ts'
import { StoreError } from '../core/errors.ts'
import { addressOf } from '../http/own-address.ts'
import { type Reference, renderReference, sendReference } from '../reference/reference.ts'
import type { Tools } from '../tools.ts'
import { sendSuspended } from './suspended-page.ts'

const alsoServed = /^\/(openapi\.(yaml|json)|schema\.graphql|livez|readyz)(\/|$)/

/** What a project's hosts show behind `/v1` and `/graphql`: its reference page, and nothing else of the service. */
export function projectRouter({ config, hosting }: Tools): Router {
  const router = Router({ strict: true, caseSensitive: true })
  const pageOf = keepPages(config.graphqlIntrospection)

  /** Search engines are sent to no host that is not served, or is somebody else's by now. */
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
    const page = pageOf(host.page, addressOf(request, host.name), await canonicalOf(host))
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

/** A page is rendered when it is first asked for, and again when a deploy has changed what it shows. */
function keepPages(
  showsGraphql: boolean,
): (page: ServedHost['page'], address: string, canonical: string) => Promise<Reference> {
  const kept = new LRUCache<string, Promise<Reference>>({ max: 100 })
  return ({ title, description }, address, canonical) => {
    const key = JSON.stringify([title, description, canonical, address])
    const page =
      kept.get(key) ??
      renderReference({
        title,
        description,
        baseUrl: `${address}/v1`,
        canonical,
        showsGraphql,
      })
    kept.set(key, page)
    return page
  }
}
