import type { Request, Response } from 'express'
import { eventJson } from '../core/events/event.ts'
import { findEvent, readEvents } from '../core/events/log.ts'
import { eventId } from '../core/events/position.ts'
import { parseEventsRequest } from '../core/events/rules.ts'
import { requireScope, scopeFor } from '../core/keys/caller.ts'
import type { Drain } from '../http/drain.ts'
import { callerOf } from '../http/locals.ts'
import type { Tools } from '../tools.ts'
import { answerList, readLimit } from './answer-list.ts'
import { answerTaggedJson } from './etag-response.ts'
import { asksForStream, openEventStreams } from './event-stream.ts'
import { readParameters, requireNoParameters } from './parameters.ts'

export function listEventsRoute(tools: Tools, drain: Pick<Drain, 'isEnding' | 'doorShut'>) {
  const stream = openEventStreams(tools, drain)

  return async (request: Request, response: Response): Promise<void> => {
    const { project } = requireEvents(response, scopeFor.listEvents)
    if (asksForStream(request)) return stream(request, response)
    const { limit, type, ...given } = readParameters(request.query, ['limit', 'after', 'type', 'subject'])
    const asked = parseEventsRequest(
      { limit: 'limit', type: 'type' },
      { limit: readLimit(limit), types: type === null ? null : type.split(','), ...given },
    )
    const { events, hasMore, reached } = await readEvents(tools.database, project, asked)
    const page = { items: events, hasMore, nextCursor: hasMore && reached ? eventId(reached) : null }
    const { subject } = asked
    return answerList(
      tools,
      request,
      response,
      page,
      eventJson,
      { limit: asked.limit, type, subject },
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

function requireEvents(response: Response, scope: typeof scopeFor.listEvents) {
  const caller = callerOf(response)
  requireScope(caller, scope)
  return caller
}
