import type { Request, Response } from 'express'
import { eventJson, type StoreEvent } from '../core/events/event.ts'
import { type EventPosition, eventId } from '../core/events/position.ts'
import { parseEventsRequest } from '../core/events/rules.ts'
import { openEventStream } from '../core/events/streams.ts'
import { scopeFor } from '../core/keys/caller.ts'
import type { Scope } from '../core/keys/scopes.ts'
import { callerOf } from '../http/locals.ts'
import {
  beginStream,
  type Ending,
  namesEventStream,
  noteBrokenStream,
  streamTermsOf,
  writeToStream,
} from '../http/streams.ts'
import type { Tools } from '../tools.ts'
import { readParameters } from './parameters.ts'

/** Clients wait this long before they connect again. */
const retryMs = 2_000

/** Reading the audit log needs the scope for reading the project, because the log shows who manages the project. */
export const scopeOfKind = (kind: unknown): Scope =>
  kind === 'management' ? scopeFor.readAudit : scopeFor.listEvents

/** True if the client names the media type of a stream and does not prefer a page. */
export const asksForStream = (request: Request): boolean =>
  request.method === 'GET' &&
  namesEventStream(request) &&
  request.accepts('text/event-stream', 'application/json') === 'text/event-stream'

/** Sends events as server-sent events while they happen. */
export async function streamEvents(
  tools: Tools,
  drain: Ending,
  request: Request,
  response: Response,
): Promise<void> {
  const wanted = readQuery(request)
  const caller = callerOf(response)
  const call = { request, response, caller, door: 'rest' } as const
  const terms = streamTermsOf(tools, drain, call, scopeOfKind(wanted.kind))
  const { from, pages } = await openEventStream(tools, caller, wanted, terms)
  if (response.closed) return
  beginStream(tools, response, 'text/event-stream; charset=utf-8')
  response.write(`retry: ${retryMs}\n${markOf(from)}\n`)
  try {
    for await (const { events, reached } of pages)
      await writeToStream(response, events.map(frameOf).join('') || `:\n${markOf(reached ?? from)}\n`)
  } catch (error) {
    noteBrokenStream(tools, error)
  } finally {
    response.end()
  }
}

function readQuery(request: Request) {
  const parameters = ['after', 'kind', 'type', 'subject', 'actor', 'since', 'until'] as const
  const { type, after, ...given } = readParameters(request.query, parameters)
  const last = request.headers['last-event-id']
  const isReconnected = typeof last === 'string' && last !== ''
  return parseEventsRequest(
    { limit: 'limit', type: 'type', after: isReconnected ? 'Last-Event-ID' : 'after' },
    {
      ...given,
      limit: 1,
      types: type === null ? null : type.split(','),
      // A client that reconnects repeats its first query, so Last-Event-ID is newer than `after`.
      after: isReconnected ? last : after,
    },
  )
}

/** A frame with only an id. Clients store the id, and continue after it when they reconnect. */
const markOf = (position: EventPosition) => `id: ${eventId(position)}\n`

const frameOf = (event: StoreEvent) =>
  `id: ${eventId(event)}\nevent: ${event.type}\ndata: ${eventJson(event)}\n\n`
