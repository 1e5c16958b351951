import { findEvent, readEvents } from '../../core/events/log.ts'
import { readEventsBackward } from '../../core/events/log-backward.ts'
import { eventId } from '../../core/events/position.ts'
import { parseEventsRequest } from '../../core/events/rules.ts'
import { scopeFor } from '../../core/keys/caller.ts'
import { connectionOf, placeOf, readPage } from '../connection.ts'
import { storeCaller } from '../context.ts'
import type { EventResolvers, QueryResolvers } from '../generated/resolvers.ts'

export const eventQueries = {
  async events(_parent, { types, subject, ...args }, context) {
    const { project } = storeCaller(context, scopeFor.listEvents)
    const { isBackward, names, ...page } = readPage(args, 20)
    const filter = { types: types ?? null, subject: subject ?? null }
    const { after, ...asked } = parseEventsRequest({ ...names, type: 'types' }, { ...page, ...filter })
    const { database } = context.tools
    const { events, hasMore, reached } = isBackward
      ? await readEventsBackward(database, project, { ...asked, before: after })
      : await readEvents(database, project, { ...asked, after })
    // A page with a filter may have read events beyond its last one.
    const end = hasMore && reached ? eventId(reached) : null
    const ends = isBackward ? { startCursor: end } : { endCursor: end }
    return connectionOf(events, placeOf({ after, isBackward }, hasMore), eventId, ends)
  },

  event(_parent, { id }, context) {
    const { project } = storeCaller(context, scopeFor.getEvent)
    return findEvent(context.tools.database, project, id)
  },
} satisfies QueryResolvers

export const Event = {
  id: event => eventId(event),
  number: event => String(event.number),
  timestamp: event => event.at,
} satisfies EventResolvers
