import { Router } from 'express'
import { StoreError } from '../core/errors.ts'
import { makeReferencePage, referencePolicy } from './reference-page.ts'

const alsoServed = /^\/(v1|graphql|openapi\.(yaml|json)|livez|readyz)(\/|$)/

/** What a project's hosts show beside `/v1` and `/graphql`: its reference page, and nothing else of the service. */
export function projectRouter(): Router {
  const router = Router({ strict: true, caseSensitive: true })
  const makePage = makeReferencePage()
  router.get('/', (request, response, next) => {
    const { host } = response.locals
    if (!host) return next()
    response.locals.route = '/'
    response.setHeader('Content-Security-Policy', referencePolicy)
    const port = /:\d{1,5}$/.exec(request.headers.host ?? '')?.[0] ?? ''
    response.type('html').send(makePage(host.page, `${request.protocol}://${host.name}${port}`))
  })
  router.use((request, response, next) => {
    if (response.locals.host && !alsoServed.test(request.path)) {
      throw new StoreError('not_found', 'There is nothing at this address.')
    }
    next()
  })
  return router
}
