import { tagged } from './etag.ts'
import type { components, operations } from './generated/openapi.ts'
import { type List, makeList } from './list.ts'
import { type CallOptions, type ChangeOptions, type CreateOptions, largestPage } from './options.ts'
import type { Send } from './send.ts'

export type Order = components['schemas']['Order']
export type NewOrder = components['schemas']['NewOrder']
export type OrderStatus = components['schemas']['OrderStatus']
/** Which orders to list; `limit` is the size of a page. */
export type OrderQuery = NonNullable<operations['listOrders']['parameters']['query']>

export class Orders {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** The orders, the newest first. */
  list({ cursor: first, ...query }: OrderQuery = {}, options: CallOptions = {}): List<Order> {
    return makeList((cursor = first) =>
      this.#send('listOrders', { query: { limit: largestPage, ...query, cursor } }, options),
    )
  }

  async get(orderId: bigint, options: CallOptions = {}): Promise<Order> {
    return tagged(await this.#send('getOrder', { path: { orderId } }, options))
  }

  /** Orders a pet, once, however often the network makes it ask. */
  async place(order: NewOrder, options: CreateOptions = {}): Promise<Order> {
    return tagged(await this.#send('placeOrder', { body: order }, options))
  }

  async approve(orderId: bigint, options: ChangeOptions = {}): Promise<Order> {
    return tagged(await this.#send('approveOrder', { path: { orderId } }, options))
  }

  /** The pet is sold with it. */
  async deliver(orderId: bigint, options: ChangeOptions = {}): Promise<Order> {
    return tagged(await this.#send('deliverOrder', { path: { orderId } }, options))
  }

  /** The pet gets back the status that it had. */
  async cancel(orderId: bigint, options: ChangeOptions = {}): Promise<Order> {
    return tagged(await this.#send('cancelOrder', { path: { orderId } }, options))
  }
}
