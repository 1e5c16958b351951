import type { StoreEvent } from '../../core/events/event.ts'
import { listEvents, listEventsBackward } from '../../core/events/list.ts'
import { findEvent } from '../../core/events/log.ts'
import { eventId } from '../../core/events/position.ts'
import { parseEventsRequest } from '../../core/events/rules.ts'
import { type EventStream, openEventStream } from '../../core/events/streams.ts'
import { scopeFor } from '../../core/keys/caller.ts'
import { connectionOf, neighboursOf, readPage } from '../connection.ts'
import { storeCaller } from '../context.ts'
import type { EventResolvers, QueryResolvers, SubscriptionResolvers } from '../generated/resolvers.ts'

export const eventQueries = {
  async events(_parent, { types, subject, ...args }, context) {
    const { project } = storeCaller(context, scopeFor.listEvents)
    const { isBackward, names, ...page } = readPage(args, 20)
    const filter = { types: types ?? null, subject: subject ?? null }
    const { after, ...query } = parseEventsRequest({ ...names, type: 'types' }, { ...page, ...filter })
    const { database } = context.tools
    const { events, hasMore, reached } = isBackward
      ? await listEventsBackward(database, project, { ...query, before: after })
      : await listEvents(database, project, { ...query, after })
    // A page with a filter may have read events beyond its last one, so the next page continues from the last event
    // read.
    const end = hasMore && reached ? eventId(reached) : null
    const ends = isBackward ? { startCursor: end } : { endCursor: end }
    return connectionOf(events, neighboursOf({ after, isBackward }, hasMore), eventId, ends)
  },

  event(_parent, { id }, context) {
    const { project } = storeCaller(context, scopeFor.getEvent)
    return findEvent(context.tools.database, project, id)
  },
} satisfies QueryResolvers

export const eventSubscriptions = {
  events: {
    async subscribe(_parent, { after, types, subject }, context) {
      const { tools, streamTerms } = context
      const caller = storeCaller(context, scopeFor.listEvents)
      const filter = { after: after ?? null, types: types ?? null, subject: subject ?? null }
      const names = { limit: 'first', type: 'types' }
      const { limit: _, ...query } = parseEventsRequest(names, { limit: 1, ...filter })
      if (!streamTerms) throw new Error('a subscription without a stream')
      const { pages } = await openEventStream(tools, caller, query, streamTerms)
      return eachEvent(pages)
    },
    resolve: (event: StoreEvent) => event,
  },
} satisfies SubscriptionResolvers

async function* eachEvent(pages: EventStream['pages']): AsyncGenerator<StoreEvent, void> {
  for await (const { events } of pages) yield* events
}

export const Event = {
  id: event => eventId(event),
  number: event => String(event.number),
  timestamp: event => event.at,
} satisfies EventResolvers
