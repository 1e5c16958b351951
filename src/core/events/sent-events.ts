import type { Statements } from '../../database/statements.ts'
import { columnsOf, eventJson, readEvent } from './event.ts'
import { eventId } from './position.ts'

/** An event as it is sent: its body is the text that GET /v1/events/{id} shows. */
export type SentEvent = { number: bigint; id: string; type: string; body: string }

/**
 * Reads events of any era by ascending number. The era need not be compared, because a restore sets an endpoint's
 * cursor back together with the log.
 */
export async function readSentEvents(
  { run }: Statements,
  projectId: number,
  after: bigint,
  limit: number,
): Promise<SentEvent[]> {
  const rows = await run({
    name: 'read_sent_events',
    text: `
      SELECT ${columnsOf('events')} FROM events WHERE project_id = $1::int AND number > $2::bigint
      ORDER BY number LIMIT $3::int`,
    values: [projectId, after, limit],
  })
  return rows.map(readEvent).map(event => ({
    number: event.number,
    id: eventId(event),
    type: event.type,
    body: eventJson(event),
  }))
}
