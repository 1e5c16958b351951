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

  /** Lists the orders, newest first. */
  list(
    { cursor: first, limit = largestPage, ...query }: OrderQuery = {},
    options: CallOptions = {},
  ): List<Order> {
    return makeList((cursor = first) =>
      this.#send('listOrders', { query: { limit, ...query, cursor } }, options),
    )
  }

  async get(orderId: bigint, options: CallOptions = {}): Promise<Order> {
    return tagged(await this.#send('getOrder', { path: { orderId } }, options))
  }

  /** Places an order once, even if the network forces retries. */
  async place(order: NewOrder, options: CreateOptions = {}): Promise<Order> {
    return tagged(await this.#send('placeOrder', { body: order }, options))
  }

  async approve(orderId: bigint, options: ChangeOptions = {}): Promise<Order> {
    return tagged(await this.#send('approveOrder', { path: { orderId } }, options))
  }

  /** Delivers the order and marks its pet as sold. */
  async deliver(orderId: bigint, options: ChangeOptions = {}): Promise<Order> {
    return tagged(await this.#send('deliverOrder', { path: { orderId } }, options))
  }

  /** Cancels the order and gives its pet the former status back. */
  async cancel(orderId: bigint, options: ChangeOptions = {}): Promise<Order> {
    return tagged(await this.#send('cancelOrder', { path: { orderId } }, options))
  }
}
