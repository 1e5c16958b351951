import { eventJson, type StoreEvent } from '../../core/events/event.ts'
import { listEvents } from '../../core/events/list.ts'
import { eventId } from '../../core/events/position.ts'
import { parseEventsRequest } from '../../core/events/rules.ts'
import { scopeFor } from '../../core/keys/caller.ts'
import { pageOf, textOf } from '../arguments.ts'
import { fitPage } from '../fit.ts'
import { pageArguments, type Tool } from '../tool.ts'

export const eventTools: Tool[] = [
  {
    name: 'list_events',
    title: 'List events',
    description:
      'Lists what happened in the project, oldest first: to pets, orders, categories, keys, domains and so on.',
    scope: scopeFor.listEvents,
    budget: 'store',
    effect: 'reads',
    input: {
      type: { type: 'string', description: 'Types, such as pet.created,order.placed' },
      subject: { type: 'string', description: 'As pet:12' },
      limit: pageArguments.limit,
      after: { type: 'string', description: 'nextCursor, or the id of the last event read' },
    },
    async run({ tools, caller: { project }, args }) {
      const query = parseEventsRequest(
        { limit: 'limit', type: 'type' },
        {
          limit: pageOf(args).limit,
          after: textOf(args, 'after'),
          types: textOf(args, 'type')?.split(',') ?? null,
          subject: textOf(args, 'subject'),
        },
      )
      const { events, hasMore, reached } = await listEvents(tools.database, project, query)
      const { items, ...rest } = fitPage(events, hasMore && reached ? eventId(reached) : null, show, eventId)
      return { events: items, ...rest }
    },
  },
]

/** Shows an event as REST does, but with ids as strings. */
const show = (event: StoreEvent): object => JSON.parse(eventJson(event), idsAsTexts)

function idsAsTexts(key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && /^id$|Id$/.test(key) ? context?.source : value
}
