import { type Fault, invalidInput } from '../errors.ts'
import { parseActor, parseSubject, parseTimes } from './filter-rules.ts'
import type { EventKind, EventsQuery } from './log.ts'
import { parsePlace } from './position.ts'
import { type EventType, eventTypes, managementTypes, storeTypes } from './types.ts'

const kinds: readonly EventKind[] = ['store', 'management']

const typesOf: Record<EventKind, readonly EventType[]> = { store: storeTypes, management: managementTypes }

/**
 * Validates the parameters of a list of events. Null means that a parameter is absent, or for `limit` that it is
 * invalid. `names` are the parameter names of REST or GraphQL.
 */
export function parseEventsRequest(
  names: { limit: string; type: string; after?: string },
  input: {
    limit: number | null
    kind?: string | null
    after: string | null
    types: readonly string[] | null
    subject: string | null
    actor?: string | null
    since?: string | null
    until?: string | null
  },
): EventsQuery {
  const { limit } = input
  const faults: Fault[] = []
  if (limit === null || limit < 1 || limit > 100)
    faults.push({ field: names.limit, message: 'must be a whole number from 1 to 100' })
  const after = input.after === null ? null : parsePlace(input.after)
  if (input.after !== null && after === null)
    faults.push({ field: names.after ?? 'after', message: 'must be the id of an event, as 3f2a91bc-42' })
  const kind = kinds.find(one => one === input.kind) ?? null
  // Refuse a type of the other kind, because the list would read the whole log and find nothing.
  const known = kind === null ? eventTypes : typesOf[kind]
  const types = input.types?.filter(type => isOneOf(known, type)) ?? null
  if (types?.length !== input.types?.length || types?.length === 0)
    faults.push({ field: names.type, message: typeRuleOf(kind) })
  const subject = parseSubject(input.subject, faults)
  const actor = parseActor(input.actor ?? null, faults)
  const times = parseTimes({ since: input.since ?? null, until: input.until ?? null }, faults)
  if (input.kind != null && kind === null)
    faults.push({ field: 'kind', message: `must be ${kinds.join(' or ')}` })
  for (const field of ['actor', 'since', 'until'] as const)
    if (input[field] != null && kind !== 'management')
      faults.push({ field, message: 'is only for kind=management' })
  if (faults.length > 0) throw invalidInput(faults)
  return { limit: limit ?? 0, kind, after, types, subject, actor, ...times }
}

const isOneOf = (known: readonly EventType[], text: string): text is EventType =>
  known.some(type => type === text)

function typeRuleOf(kind: EventKind | null): string {
  if (kind === 'management') return 'must be one or more types of the audit log, such as api_key.issued'
  const rule = `must be one or more of ${storeTypes.join(', ')}`
  return kind === 'store' ? rule : `${rule}, or types of the audit log`
}
