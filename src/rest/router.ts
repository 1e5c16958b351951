import { type Request, type RequestHandler, type Response, Router } from 'express'
import { StoreError } from '../core/errors.ts'
import type { Tools } from '../tools.ts'
import { createPetRoute, getPetRoute, listPetsRoute } from './pets.ts'
import { getRateLimitRoute } from './rate-limit.ts'

type Route = (request: Request, response: Response) => Promise<void>

/** Every request costs one point of the project's budget; looking at the budget costs none. */
export function pointsOf(path: string): 0 | 1 {
  return path === '/rate-limit' ? 0 : 1
}

/** The /v1 door: every path of openapi.yaml and what answers there. */
export function restRouter(tools: Tools): Router {
  const router = Router({ strict: true, caseSensitive: true })
  serve('/pets', { GET: listPetsRoute(tools), POST: createPetRoute(tools) })
  serve('/pets/:petId', { GET: getPetRoute(tools) })
  serve('/rate-limit', { GET: getRateLimitRoute() })
  return router

  function serve(path: string, methods: { GET?: Route; POST?: Route }): void {
    const allowed = [
      ...(methods.GET ? ['GET', 'HEAD'] : []),
      ...(methods.POST ? ['POST'] : []),
      'OPTIONS',
    ].join(', ')
    const route: RequestHandler = async (request, response) => {
      response.locals.route = `/v1${path}`
      const serving = methods[request.method === 'HEAD' ? 'GET' : (request.method as 'GET' | 'POST')]
      if (serving) return serving(request, response)
      response.setHeader('Allow', allowed)
      throw new StoreError(
        'method_not_allowed',
        `${request.method} is not possible here; possible are ${allowed}.`,
      )
    }
    router.all(path, route)
  }
}
