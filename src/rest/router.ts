import { type Request, type RequestHandler, type Response, Router } from 'express'
import { actAs } from '../core/acts.ts'
import { StoreError } from '../core/errors.ts'
import { actOf } from '../http/acts.ts'
import { authenticate } from '../http/authenticate.ts'
import { answerErrors, refuseUnknownPath } from '../http/errors.ts'
import { addHeader } from '../http/headers.ts'
import { answerOptions } from '../http/options.ts'
import type { Ending } from '../http/streams.ts'
import type { Tools } from '../tools.ts'
import { bulkRoutes } from './bulk.ts'
import { getCategoryRoute, listCategoriesRoute, removeCategoryRoute, setCategoryRoute } from './categories.ts'
import { charge } from './charge.ts'
import { getEventRoute, listEventsRoute } from './events.ts'
import { exportEventsRoute, exportPetsRoute } from './exports.ts'
import { importPetsRoute } from './import.ts'
import { getInventoryRoute } from './inventory.ts'
import {
  approveOrderRoute,
  cancelOrderRoute,
  deliverOrderRoute,
  getOrderRoute,
  listOrdersRoute,
  placeOrderRoute,
} from './orders.ts'
import { requireNoParameters } from './parameters.ts'
import { createPetRoute, deletePetRoute, getPetRoute, listPetsRoute, updatePetRoute } from './pets.ts'
import { getRateLimitRoute } from './rate-limit.ts'
import { getUsageRoute } from './usage.ts'
import { webhookRoutes } from './webhooks.ts'

/**
 * Routes all /v1 paths of openapi.yaml. A call costs one request of the plan. Reading the rate limit is free. Exports,
 * imports and changes of many pets cost by size.
 */
export function restRouter(tools: Tools, drain: Ending): Router {
  const imports = importPetsRoute(tools)
  const exports = exportPetsRoute(tools)
  const eventExports = exportEventsRoute(tools)
  const bulk = bulkRoutes(tools)
  const webhooks = webhookRoutes(tools)
  const router = Router({ strict: true, caseSensitive: true })
  const options = Router({ strict: true, caseSensitive: true })
  const serve = (path: string, methods: Methods) => {
    options.all(path, answerOptions(tools, allowedBy(methods)))
    router.all(path, answerAt(`/v1${path}`, methods))
  }

  router.use((request, response, next) => {
    if (request.method === 'OPTIONS') options(request, response, next)
    else next()
  })
  router.use(
    authenticate(tools),
    charge(tools, {
      '/rate-limit': 0,
      '/pets/export': exports.price,
      '/pets/import': imports.price,
      '/events/export': eventExports.price,
      ...bulk.prices,
    }),
    // Answer the refusals of `authenticate` and `charge` before the routes. Otherwise Express would compare the path of
    // a refused request with every route before it answers.
    answerErrors(tools),
  )
  serve('/pets', {
    GET: listPetsRoute(tools),
    POST: createPetRoute(tools),
    PATCH: bulk.update,
    DELETE: bulk.remove,
  })
  serve('/pets/export', { GET: exports.answer })
  serve('/pets/import', { POST: imports.answer })
  serve('/pets/:petId', {
    GET: getPetRoute(tools),
    PATCH: updatePetRoute(tools),
    DELETE: deletePetRoute(tools),
  })
  serve('/categories', { GET: listCategoriesRoute(tools) })
  serve('/categories/:categoryId', {
    GET: getCategoryRoute(tools),
    PUT: setCategoryRoute(tools),
    DELETE: removeCategoryRoute(tools),
  })
  serve('/store/orders', { GET: listOrdersRoute(tools), POST: placeOrderRoute(tools) })
  serve('/store/orders/:orderId', { GET: getOrderRoute(tools) })
  serve('/store/orders/:orderId/approve', { POST: approveOrderRoute(tools) })
  serve('/store/orders/:orderId/deliver', { POST: deliverOrderRoute(tools) })
  serve('/store/orders/:orderId/cancel', { POST: cancelOrderRoute(tools) })
  serve('/events', { GET: listEventsRoute(tools, drain) })
  serve('/events/export', { GET: eventExports.answer })
  serve('/events/:eventId', { GET: getEventRoute(tools) })
  serve('/rate-limit', { GET: getRateLimitRoute() })
  serve('/store/inventory', { GET: getInventoryRoute(tools) })
  serve('/usage', { GET: getUsageRoute(tools) })
  router.use('/webhooks', (request, response, next) =>
    actAs(() => actOf(tools.config, request, response, 'rest'), next),
  )
  serve('/webhooks', { GET: webhooks.list, POST: webhooks.add })
  serve('/webhooks/:webhookId', { GET: webhooks.get, PATCH: webhooks.change, DELETE: webhooks.remove })
  serve('/webhooks/:webhookId/rotate-secret', { POST: webhooks.rotateSecret })
  serve('/webhooks/:webhookId/test', { POST: webhooks.test })
  serve('/webhooks/:webhookId/deliveries', { GET: webhooks.listDeliveries })
  serve('/webhooks/:webhookId/redeliver', { POST: webhooks.redeliver })
  serve('/webhooks/:webhookId/rewind', { POST: webhooks.rewind })
  router.use(refuseUnknownPath)
  // Answer refusals here: passing through all later routers would take an eighth of the CPU time of a refusal.
  router.use(answerErrors(tools))
  options.use(answerOptions(tools, 'OPTIONS'))
  return router
}

type Route = (request: Request, response: Response) => Promise<void>
type Methods = { GET?: Route; POST?: Route; PUT?: Route; PATCH?: Route; DELETE?: Route }

function answerAt(route: string, methods: Methods): RequestHandler {
  const allowed = allowedBy(methods)
  return (request, response) => {
    response.locals.route = route
    const answer = methods[request.method === 'HEAD' ? 'GET' : (request.method as keyof Methods)]
    if (answer) {
      if (!isRead(request)) requireNoParameters(request)
      return answer(request, response)
    }
    addHeader(response, 'Allow', allowed)
    throw new StoreError('method_not_allowed', `${request.method} is not allowed here; use ${allowed}.`)
  }
}

/**
 * True for a read. Only reads have query parameters. A write with a query parameter (`POST /pets?status=sold`) is
 * rejected, because ignoring the parameter would drop a value that the client meant to send.
 */
const isRead = ({ method }: Request) => method === 'GET' || method === 'HEAD'

function allowedBy(methods: Methods): string {
  return Object.keys({ ...methods, ...(methods.GET && { HEAD: true }), OPTIONS: true }).join(', ')
}
