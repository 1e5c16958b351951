import type { Columns } from '../../database/statements.ts'
import { type EventPosition, eventId } from './position.ts'
import type { EventType } from './types.ts'

/** An event of a project. `data` and `previous` are JSON, kept as text so that int64 numbers stay exact. */
export type StoreEvent = EventPosition & {
  at: Date
  type: EventType
  /** For example `pet:12`; null if the event is about many pets. */
  subject: string | null
  data: string
  previous: string | null
  /** Only in the audit log: the actor as JSON, and the data of the request. */
  act?: { actor: string; door: string | null; address: string | null; requestId: string | null }
}

/**
 * The columns of an event, in the order of `readEvent`. They are read as text, because the embedded database would
 * parse JSON and times.
 */
export const columnsOf = (table: string) => `
  ${table}.era, ${table}.number, (extract(epoch FROM ${table}.at) * 1000)::bigint, ${table}.type, ${table}.subject,
  ${table}.data::text, ${table}.previous::text`

/** The columns of an audit entry. */
export const auditColumnsOf = (table: string) =>
  `${columnsOf(table)}, ${table}.actor::text, ${table}.door, ${table}.address, ${table}.request_id`

/** Builds an event from PostgreSQL's text of its columns. */
export function readEvent(columns: Columns): StoreEvent {
  const [era, number, at, type, subject, data, previous, actor, door, address, requestId] = columns
  return {
    era: Number(era),
    number: BigInt(number ?? 0),
    at: new Date(Number(at)),
    type: type as EventType,
    subject: subject ?? null,
    data: data ?? '{}',
    previous: previous ?? null,
    ...(actor && {
      act: { actor, door: door ?? null, address: address ?? null, requestId: requestId ?? null },
    }),
  }
}

/** Formats an event. The text is the same in a list, a stream and a webhook, so that a receiver can compare events. */
export function eventJson(event: StoreEvent): string {
  const { number, type, at, subject, data, previous, act } = event
  const parts = [
    `"id":"${eventId(event)}"`,
    `"number":${number}`,
    `"type":"${type}"`,
    `"timestamp":"${at.toISOString()}"`,
    ...(subject === null ? [] : [`"subject":${JSON.stringify(subject)}`]),
    `"data":${data}`,
    ...(previous === null ? [] : [`"previous":${previous}`]),
    ...(act ? [`"actor":${act.actor}`] : []),
    ...(act?.door ? [`"door":${JSON.stringify(act.door)}`] : []),
    ...(act?.address ? [`"address":${JSON.stringify(act.address)}`] : []),
    ...(act?.requestId ? [`"requestId":${JSON.stringify(act.requestId)}`] : []),
  ]
  return `{${parts.join(',')}}`
}
