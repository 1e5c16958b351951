import type { components, operations } from './generated/openapi.ts'
import { type List, makeList } from './list.ts'
import { type CallOptions, largestPage } from './options.ts'
import type { Send } from './send.ts'

/** `type` tells which event it is, and so what is in `data`. Ignore types that you do not know. */
export type StoreEvent = components['schemas']['Event']
/** Which events to list; `limit` is the size of a page. */
export type EventQuery = NonNullable<operations['listEvents']['parameters']['query']>

export class Events {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Lists the events, oldest first: all that are kept, or those that follow the event with the id `after`. */
  list({ after: first, ...query }: EventQuery = {}, options: CallOptions = {}): List<StoreEvent> {
    return makeList((after = first) =>
      this.#send('listEvents', { query: { limit: largestPage, ...query, after } }, options),
    )
  }

  async get(eventId: string, options: CallOptions = {}): Promise<StoreEvent> {
    return (await this.#send('getEvent', { path: { eventId } }, options)).body
  }
}
