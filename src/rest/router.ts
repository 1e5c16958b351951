import { type Request, type RequestHandler, type Response, Router } from 'express'
import { StoreError } from '../core/errors.ts'
import type { Tools } from '../tools.ts'
import { createPetRoute, getPetRoute, listPetsRoute } from './pets.ts'
import { getRateLimitRoute } from './rate-limit.ts'

type Route = (request: Request, response: Response) => Promise<void>

/** Every request costs one point of the project's budget; looking at the budget costs none. */
export function pointsOf(request: Request): 0 | 1 {
  // Express reads the address anew for its path.
  return request.url.startsWith('/pets') || request.path !== '/rate-limit' ? 1 : 0
}

/** What answers at each path of openapi.yaml, without the /v1 before it. */
export type Routes = { pets: RequestHandler; pet: RequestHandler; rateLimit: RequestHandler }

export function restRoutes(tools: Tools): Routes {
  return {
    pets: serve('/pets', { GET: listPetsRoute(tools), POST: createPetRoute(tools) }),
    pet: serve('/pets/:petId', { GET: getPetRoute(tools) }),
    rateLimit: serve('/rate-limit', { GET: getRateLimitRoute() }),
  }
}

/** The /v1 door. */
export function restRouter({ pets, pet, rateLimit }: Routes): Router {
  const router = Router({ strict: true, caseSensitive: true })
  router.all('/pets', pets)
  router.all('/pets/:petId', pet)
  router.all('/rate-limit', rateLimit)
  return router
}

function serve(path: string, methods: { GET?: Route; POST?: Route }): RequestHandler {
  const pattern = `/v1${path}`
  const allowed = [
    ...(methods.GET ? ['GET', 'HEAD'] : []),
    ...(methods.POST ? ['POST'] : []),
    'OPTIONS',
  ].join(', ')
  return (request, response) => {
    response.locals.route = pattern
    const serving = methods[request.method === 'HEAD' ? 'GET' : (request.method as 'GET' | 'POST')]
    if (serving) return serving(request, response)
    response.setHeader('Allow', allowed)
    throw new StoreError(
      'method_not_allowed',
      `${request.method} is not possible here; possible are ${allowed}.`,
    )
  }
}
