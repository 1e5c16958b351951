import type { Statements } from '../../database/statements.ts'
import { columnsOf, eventJson, readEvent } from './event.ts'
import { eventId } from './position.ts'

/** An event as it is sent: its body is the text that GET /v1/events/{id} shows. */
export type SentEvent = { number: bigint; id: string; type: string; body: string }

/** The events of one read. The next read continues after `reached`, which is null if no event follows. */
export type SentEvents = { events: SentEvent[]; reached: bigint | null }

/** The most events that one read compares with the types of an endpoint. */
const mostScanned = 5_000

/**
 * Reads events of these types and of any era by ascending number; all types if `types` is empty. The era need not be
 * compared: a restore sets an endpoint's cursor back together with the log, and a turn that has begun before then ends.
 * PostgreSQL skips the events of other types. The statement names a short range of numbers, because PostgreSQL might
 * read and sort the whole log for an ORDER BY with a LIMIT of whole events. For the number alone it reads only the index.
 * It would read the whole log for min(number) if its statistics are older than the project's first event.
 */
export async function readSentEvents(
  { run }: Statements,
  projectId: number,
  after: bigint,
  limit: number,
  types: readonly string[],
): Promise<SentEvents> {
  const rows = await run({
    name: 'read_sent_events',
    text: `
      SELECT scanned.last, ${columnsOf('found')}
      FROM (
        SELECT number AS first FROM events WHERE project_id = $1::int AND number > $2::bigint ORDER BY number LIMIT 1
      ) AS next
      CROSS JOIN LATERAL (
        SELECT max(number) AS last FROM events
        WHERE project_id = $1::int AND number >= first AND number < first + $5::int
      ) AS scanned
      LEFT JOIN LATERAL (
        SELECT * FROM events
        WHERE project_id = $1::int AND number >= first AND number <= scanned.last
          AND ($4::text[] = '{}' OR type = ANY ($4::text[]))
        ORDER BY number LIMIT $3::int
      ) AS found ON true
      ORDER BY found.number`,
    values: [projectId, after, limit, types, types.length === 0 ? limit : mostScanned],
  })
  const last = rows[0]?.[0] ?? null
  const found = rows.map(row => row.slice(1)).filter(([era]) => era !== null)
  const events = found.map(readEvent).map(event => ({
    number: event.number,
    id: eventId(event),
    type: event.type,
    body: eventJson(event),
  }))
  const lastFound = events.length === limit ? events.at(-1) : undefined
  return { events, reached: lastFound?.number ?? (last === null ? null : BigInt(last)) }
}
