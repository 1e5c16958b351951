import type { Statements } from '../../database/statements.ts'
import type { Project } from '../project.ts'
import { columnsOf, readEvent } from './event.ts'
import { expired } from './expired.ts'
import { type EventFilter, type EventsRead, filterValues, fitsQuery, mostScanned } from './log.ts'
import type { EventPosition } from './position.ts'

export type BackwardQuery = EventFilter & { before: EventPosition | null; limit: number }

/**
 * Reads the last events before a position, or the last events of the log, and returns them oldest first. The next read
 * backward continues at `reached`.
 */
export async function readEventsBackward(
  { run }: Statements,
  project: Pick<Project, 'id'>,
  { before, limit, ...filter }: BackwardQuery,
): Promise<EventsRead> {
  const rows = await run({
    name: 'read_events_backward',
    text: `
      SELECT log.reached, log.floor, mark.era, reached.era, ${columnsOf('found')}
      FROM (
        SELECT floor, place.before, greatest(place.before - ${mostScanned}, floor) AS reached
        FROM event_numbers
        CROSS JOIN LATERAL (SELECT least($2::bigint, last + 1) AS before) AS place
        WHERE project_id = $1::int
      ) AS log
      LEFT JOIN events AS mark ON mark.project_id = $1::int AND mark.number = $2::bigint
      LEFT JOIN events AS reached ON reached.project_id = $1::int AND reached.number = log.reached
      LEFT JOIN LATERAL (
        SELECT * FROM (
          SELECT * FROM events WHERE project_id = $1::int AND number < log.before
          ORDER BY number DESC LIMIT greatest(log.before - log.reached, 0)
        ) AS scanned
        WHERE number >= log.reached AND ${fitsQuery}
        ORDER BY number DESC LIMIT $6::int
      ) AS found ON true
      ORDER BY found.number DESC`,
    values: [project.id, before === null ? null : before.number, ...filterValues(filter), limit + 1],
  })
  const [first] = rows
  if (!first) {
    if (before !== null) throw expired()
    return { events: [], hasMore: false, reached: null }
  }
  const [end, floor, markEra, endEra] = first
  if (
    before !== null &&
    (before.number < BigInt(floor ?? 0) || Number(markEra ?? Number.NaN) !== before.era)
  ) {
    throw expired()
  }
  const found = rows.map(row => row.slice(4)).filter(([era]) => era !== null)
  const events = found.slice(0, limit).map(readEvent).reverse()
  const [oldest] = events
  if (found.length > limit && oldest) return { events, hasMore: true, reached: oldest }
  const number = BigInt(end ?? 0)
  const reached = endEra === null ? null : { era: Number(endEra), number }
  return { events, hasMore: reached !== null && number > BigInt(floor ?? 0), reached }
}
