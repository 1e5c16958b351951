import type { Request, Response } from 'express'
import { eventJson } from '../core/events/event.ts'
import { listEvents } from '../core/events/list.ts'
import { findEvent } from '../core/events/log.ts'
import { eventId } from '../core/events/position.ts'
import { parseEventsRequest } from '../core/events/rules.ts'
import { requireScope, scopeFor } from '../core/keys/caller.ts'
import type { Scope } from '../core/keys/scopes.ts'
import { addHeader } from '../http/headers.ts'
import { callerOf } from '../http/locals.ts'
import type { Ending } from '../http/streams.ts'
import type { Tools } from '../tools.ts'
import { answerList, readLimit } from './answer-list.ts'
import { answerTaggedJson } from './etag-response.ts'
import { asksForStream, scopeOfKind, streamEvents } from './event-stream.ts'
import { readParameters, requireNoParameters } from './parameters.ts'

export function listEventsRoute(tools: Tools, drain: Ending) {
  return async (request: Request, response: Response): Promise<void> => {
    const { project } = requireEvents(response, scopeOfKind(request.query.kind))
    addHeader(response, 'Vary', 'Authorization, Accept, Accept-Encoding')
    if (asksForStream(request)) return streamEvents(tools, drain, request, response)
    const parameters = ['limit', 'after', 'kind', 'type', 'subject', 'actor', 'since', 'until'] as const
    const { limit, type, ...given } = readParameters(request.query, parameters)
    const wanted = parseEventsRequest(
      { limit: 'limit', type: 'type' },
      { limit: readLimit(limit), types: type === null ? null : type.split(','), ...given },
    )
    const { events, hasMore, reached } = await listEvents(tools.database, project, wanted)
    const page = { items: events, hasMore, nextCursor: hasMore && reached ? eventId(reached) : null }
    const { subject, kind = null } = wanted
    const { actor, since, until } = given
    return answerList(
      tools,
      request,
      response,
      page,
      eventJson,
      { limit: wanted.limit, kind, type, subject, actor, since, until },
      'after',
    )
  }
}

export function getEventRoute({ database }: Tools) {
  return async (request: Request, response: Response): Promise<void> => {
    const { project } = requireEvents(response, scopeFor.getEvent)
    requireNoParameters(request)
    const event = await findEvent(database, project, String(request.params.eventId))
    return answerTaggedJson(request, response, eventJson(event))
  }
}

function requireEvents(response: Response, scope: Scope) {
  const caller = callerOf(response)
  requireScope(caller, scope)
  return caller
}
