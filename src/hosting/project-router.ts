import { type Request, Router } from 'express'
import { LRUCache } from 'lru-cache'
import type { ServedHost } from '../core/domains/served-hosts.ts'
import { StoreError } from '../core/errors.ts'
import { urlOfHost } from '../http/host-name.ts'
import { openReference, type Reference, referencePages, sendReference } from '../reference/reference.ts'
import type { Tools } from '../tools.ts'
import { sendSuspended } from './suspended-page.ts'

const alsoServed = /^\/(openapi\.(yaml|json)|schema\.graphql|livez|readyz)(\/|$)/

/** Serves a project's reference at its hosts, beside `/v1` and `/graphql`. Other pages are 404. */
export function projectRouter({ config, hosting }: Tools): Router {
  const router = Router({ strict: true, caseSensitive: true })
  const open = keepReferences(config.graphqlIntrospection)

  /** Returns the canonical URL: the primary host, if it is served and still belongs to this project. */
  async function canonicalOf({ name, projectId, page: { primary } }: ServedHost): Promise<string> {
    const found = await hosting.hosts.find(primary)
    return `https://${found?.projectId === projectId ? primary : name}/`
  }

  const referenceOf = async (request: Request, host: ServedHost) =>
    open(host.page, urlOfHost(request, host.name, config.publicUrl), await canonicalOf(host))

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
    sendReference(request, response, await referenceOf(request, host), '')
  })
  router.use(
    referencePages(async (request, { locals }) => (locals.host ? referenceOf(request, locals.host) : null)),
  )
  router.use((request, response, next) => {
    if (response.locals.host && !alsoServed.test(request.path)) {
      throw new StoreError('not_found', 'There is nothing at this address.')
    }
    next()
  })
  return router
}

/** Caches references. Opens one at its first request, and again after a deploy has changed it. */
function keepReferences(
  showsGraphql: boolean,
): (page: ServedHost['page'], address: string, canonical: string) => Promise<Reference> {
  const references = new LRUCache<string, Promise<Reference>>({ max: 30 })
  return ({ title, description }, address, canonical) => {
    const key = JSON.stringify([title, description, canonical, address])
    const reference =
      references.get(key) ??
      openReference({
        title,
        description,
        baseUrl: `${address}/v1`,
        home: '/',
        canonical,
        showsGraphql,
      })
    references.set(key, reference)
    return reference
  }
}
