import { StoreError } from './errors.ts'
import { parseExactJson } from './exact-json.ts'
import type { components, operations } from './generated/openapi.ts'
import { type List, makeList } from './list.ts'
import { type CallOptions, largestPage } from './options.ts'
import { backoffMs, mayRepeat, waitMs } from './repeat.ts'
import type { Send } from './send.ts'
import { readFrames } from './server-sent-events.ts'
import { pause } from './time.ts'

/** `type` is the event's type, which decides what `data` contains. Ignore types that you do not know. */
export type StoreEvent = components['schemas']['Event']
/** Which events to list; `limit` is the size of a page. */
export type EventQuery = NonNullable<operations['listEvents']['parameters']['query']>

/** Which entries of the audit log to export, and in which format. */
export type EventExportQuery = NonNullable<operations['exportEvents']['parameters']['query']>

/** Which events to follow. Without `after`, only new events. */
export type FollowQuery = Omit<EventQuery, 'limit'>

/**
 * If the client receives nothing for this long, the client treats the connection as lost. The store sends something at
 * least every 15 seconds.
 */
const quietMs = 45_000
/**
 * The longest wait before `follow` connects again: a minute's rate limit window plus the longest delay of a retry. A
 * client whose daily limit is used up also waits only this long, because a larger plan takes effect at once.
 */
const longestWaitMs = 70_000

/** True if `follow` connects again. A deadline ends one call, but `follow` has no deadline. */
const mayGoOn = (error: StoreError) => error.code === 'deadline_exceeded' || mayRepeat(error, true)

export class Events {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Lists the events, oldest first: all that are stored, or those after the event with the id `after`. */
  list(
    { after: first, limit = largestPage, ...query }: EventQuery = {},
    options: CallOptions = {},
  ): List<StoreEvent> {
    return makeList((after = first) =>
      this.#send('listEvents', { query: { limit, ...query, after } }, options),
    )
  }

  /**
   * Follows the events while they happen, each once and in order, until the loop is left or the signal aborts.
   * Reconnects by itself and continues after the last event. Throws `event_expired` if the next events are no longer
   * stored.
   */
  async *follow(
    { after, ...query }: FollowQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<StoreEvent, void> {
    const { signal } = options
    let [last, failures] = [after, 0]
    for (;;) {
      let ms = backoffMs(0)
      try {
        const input = { query: { ...query, after: last } }
        const { body } = await this.#send('listEvents', input, { ...options, accept: 'text/event-stream' })
        const stream = body as unknown as ReadableStream<Uint8Array>
        for await (const { id, data } of readFrames(stream, signal, quietMs)) {
          failures = 0
          last = id ?? last
          if (data !== null) yield parseExactJson(data) as StoreEvent
        }
      } catch (error) {
        signal?.throwIfAborted()
        if (!(error instanceof StoreError) || !mayGoOn(error)) throw error
        failures++
        ms = Math.min(waitMs(error, failures), longestWaitMs)
      }
      await pause(ms, signal)
    }
  }

  /**
   * Streams the audit log as NDJSON or CSV: all entries, or those that match the filters. Deadline and signal apply until
   * the first byte. To stop the export, cancel the stream.
   */
  async export(query: EventExportQuery = {}, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return (await this.#send('exportEvents', { query }, options)).body
  }

  async get(eventId: string, options: CallOptions = {}): Promise<StoreEvent> {
    return (await this.#send('getEvent', { path: { eventId } }, options)).body
  }
}
