import type { Request, Response } from 'express'
import { requireScope, scopeFor } from '../core/keys/caller.ts'
import { listOrders } from '../core/orders/list.ts'
import { approveOrder, cancelOrder, deliverOrder } from '../core/orders/move.ts'
import { findOrder, type Order, tagOfOrder } from '../core/orders/orders.ts'
import { placeOrder } from '../core/orders/place.ts'
import { type NewOrder, parseNewOrder, parseOrdersRequest, readOrderId } from '../core/orders/rules.ts'
import { answerJson, bytesOf } from '../http/answer.ts'
import { quoted } from '../http/etag.ts'
import { addHeader } from '../http/headers.ts'
import { callerOf } from '../http/locals.ts'
import { requestUrl } from '../http/request-url.ts'
import type { Tools } from '../tools.ts'
import { answerList, readLimit } from './answer-list.ts'
import { answerTagged } from './etag-response.ts'
import { readCondition } from './if-match.ts'
import { readIdempotencyKey, readJsonObject } from './json-input.ts'
import { readParameters, requireNoParameters } from './parameters.ts'

const newOrderFields: readonly (keyof NewOrder)[] = ['petId', 'reference', 'note']
const listParameters = [
  'limit',
  'status',
  'petId',
  'reference',
  'search',
  'placedFrom',
  'placedBefore',
  'cursor',
] as const

export function listOrdersRoute(tools: Tools) {
  return async (request: Request, response: Response): Promise<void> => {
    const caller = callerOf(response)
    requireScope(caller, scopeFor.listOrders)
    const { limit, cursor, ...given } = readParameters(request.query, listParameters)
    const { page, filter } = parseOrdersRequest(
      caller.project,
      { limit: 'limit', after: 'cursor' },
      { limit: readLimit(limit), after: cursor, ...given },
    )
    const found = await listOrders(tools.db, caller.project, page, filter)
    const times = {
      placedFrom: filter.placedFrom?.toISOString() ?? null,
      placedBefore: filter.placedBefore?.toISOString() ?? null,
    }
    return answerList(tools, request, response, found, orderJson, { limit: page.limit, ...filter, ...times })
  }
}

export function placeOrderRoute(tools: Tools) {
  return async (request: Request, response: Response): Promise<void> => {
    const caller = callerOf(response)
    requireScope(caller, scopeFor.placeOrder)
    const input = parseNewOrder(await readJsonObject(tools, request, response, newOrderFields))
    const once = readIdempotencyKey(request)
    const { order, isReplayed } = await placeOrder(tools, caller.project, input, once)
    addHeader(response, 'Location', `${requestUrl(tools.config, request)}/v1/store/orders/${order.id}`)
    if (isReplayed) addHeader(response, 'Idempotent-Replayed', 'true')
    return answerOrder(response, 201, order)
  }
}

export function getOrderRoute({ db }: Tools) {
  return async (request: Request, response: Response): Promise<void> => {
    const caller = callerOf(response)
    requireScope(caller, scopeFor.getOrder)
    requireNoParameters(request)
    const order = await findOrder(db, caller.project, readOrderId(String(request.params.orderId)))
    const etag = quoted(tagOfOrder(order))
    return answerTagged(request, response, { body: bytesOf(orderJson(order)), etag })
  }
}

export const approveOrderRoute = (tools: Tools) => moveRoute(tools, 'approveOrder', approveOrder)
export const deliverOrderRoute = (tools: Tools) => moveRoute(tools, 'deliverOrder', deliverOrder)
export const cancelOrderRoute = (tools: Tools) => moveRoute(tools, 'cancelOrder', cancelOrder)

function moveRoute(
  tools: Tools,
  act: 'approveOrder' | 'deliverOrder' | 'cancelOrder',
  move: typeof approveOrder,
) {
  return async (request: Request, response: Response): Promise<void> => {
    const caller = callerOf(response)
    requireScope(caller, scopeFor[act])
    const id = readOrderId(String(request.params.orderId))
    return answerOrder(response, 200, await move(tools, caller.project, id, readCondition(request)))
  }
}

/** Sends the order with its ETag. The client may send the ETag as If-Match when it moves the order on. */
function answerOrder(response: Response, status: number, order: Order): Promise<void> | void {
  addHeader(response, 'ETag', quoted(tagOfOrder(order)))
  return answerJson(response, status, orderJson(order))
}

/** Formats an order. Numbers are exact over int64; unset fields are omitted, as for pets. */
function orderJson({ id, petId, categoryId, ...order }: Order): string {
  const rest = Object.fromEntries(Object.entries(order).filter(([, value]) => value !== null))
  return `{"id":${id},"petId":${petId},"categoryId":${categoryId},${JSON.stringify(rest).slice(1)}`
}
