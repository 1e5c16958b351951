import type { Columns } from '../../database/statements.ts'
import { type EventPosition, eventId } from './position.ts'
import type { EventType } from './types.ts'

/** An event as every way shows it. `data` and `previous` are JSON, and stay text so that int64 numbers stay exact. */
export type StoreEvent = EventPosition & {
  at: Date
  type: EventType
  /** For example `pet:12`; null if the event is about many pets. */
  subject: string | null
  data: string
  previous: string | null
}

/** The columns of an event for `readEvent`, in its order, as text: the embedded database would parse JSON and times. */
export const columnsOf = (table: string) => `
  ${table}.era, ${table}.number, (extract(epoch FROM ${table}.at) * 1000)::bigint, ${table}.type, ${table}.subject,
  ${table}.data::text, ${table}.previous::text`

/** Builds an event from PostgreSQL's text of its columns. */
export function readEvent([era, number, at, type, subject, data, previous]: Columns): StoreEvent {
  return {
    era: Number(era),
    number: BigInt(number ?? 0),
    at: new Date(Number(at)),
    type: type as EventType,
    subject: subject ?? null,
    data: data ?? '{}',
    previous: previous ?? null,
  }
}

/** Formats an event: the same text in a list, a stream and a webhook, so a receiver can compare them. */
export function eventJson(event: StoreEvent): string {
  const { number, type, at, subject, data, previous } = event
  const parts = [
    `"id":"${eventId(event)}"`,
    `"number":${number}`,
    `"type":"${type}"`,
    `"timestamp":"${at.toISOString()}"`,
    ...(subject === null ? [] : [`"subject":${JSON.stringify(subject)}`]),
    `"data":${data}`,
    ...(previous === null ? [] : [`"previous":${previous}`]),
  ]
  return `{${parts.join(',')}}`
}
