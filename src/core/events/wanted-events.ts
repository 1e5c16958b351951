import type { StoreEvent } from './event.ts'
import type { ActorFilter } from './filter-rules.ts'
import type { EventsQuery } from './log.ts'

/**
 * Returns a function that tests events of the query's kind as the statements of the log do; null if the query selects
 * all events of its kind.
 */
export function wantedBy({
  types,
  subject,
  actor = null,
  since = null,
  until = null,
}: Omit<EventsQuery, 'limit'>): ((event: StoreEvent) => boolean) | null {
  if (!types && subject === null && !actor && !since && !until) return null
  return event =>
    (!types || types.includes(event.type)) &&
    (subject === null || event.subject === subject) &&
    (!actor || isBy(actor, event)) &&
    (!since || event.at >= since) &&
    (!until || event.at < until)
}

function isBy({ type, named }: ActorFilter, { act }: StoreEvent): boolean {
  const actor = JSON.parse(act?.actor ?? '{}') as { type?: string; id?: string; name?: string }
  if (actor.type !== type) return false
  return named === null || actor.id === named || actor.name === named || actor.name === `${type}:${named}`
}
