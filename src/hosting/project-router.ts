import { type Request, Router } from 'express'
import type { ServedHost } from '../core/domains/served-hosts.ts'
import { StoreError } from '../core/errors.ts'
import { urlOfHost } from '../http/host-name.ts'
import { openReference, referencePages, sendReference } from '../reference/reference.ts'
import type { Tools } from '../tools.ts'
import { sendSuspended } from './suspended-page.ts'

const alsoServed = /^\/(openapi\.(yaml|json)|schema\.graphql|livez|readyz)(\/|$)/

/** Serves the API reference at the hosts of a project, beside `/v1` and `/graphql`. Other paths get 404. */
export function projectRouter({ config, hosting }: Tools): Router {
  const router = Router({ strict: true, caseSensitive: true })

  /**
   * Returns the canonical URL. Its host is the primary host, if that is served and still belongs to this project;
   * otherwise the requested host.
   */
  async function canonicalOf({ name, projectId, page: { primary } }: ServedHost): Promise<string> {
    const found = await hosting.hosts.find(primary)
    return `https://${found?.projectId === projectId ? primary : name}/`
  }

  const referenceOf = async (request: Request, host: ServedHost) =>
    openReference({
      title: host.page.title,
      description: host.page.description,
      baseUrl: `${urlOfHost(request, host.name, config.publicUrl)}/v1`,
      home: '/',
      canonical: await canonicalOf(host),
      showsGraphql: config.graphqlIntrospection,
    })

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
