import type { Statements } from '../../database/statements.ts'
import { StoreError } from '../errors.ts'
import type { Project } from '../project.ts'
import { newestOwn, readAudit } from './audit-log.ts'
import { columnsOf, readEvent, type StoreEvent } from './event.ts'
import { expired } from './expired.ts'
import type { ActorFilter, TimeFilter } from './filter-rules.ts'
import { type EventPosition, isLogStart, parseEventId } from './position.ts'
import type { EventType } from './types.ts'

/**
 * Selects events of the store or events about managing the project. `management` reads the audit log, whose entries
 * name the actor. A null kind selects both kinds of events, so that the numbers of the events have no gaps.
 */
export type EventKind = 'store' | 'management'
export type EventFilter = {
  kind?: EventKind | null
  types: readonly EventType[] | null
  subject: string | null
}
/** The actor and the times are only for the audit log. */
export type EventsQuery = EventFilter &
  Partial<TimeFilter> & { actor?: ActorFilter | null; after: EventPosition | null; limit: number }

/**
 * The next read continues at `reached`, which is null if the project has no events. If `hasMore` is false, `reached` is
 * the newest event, even if the filter has skipped that event.
 */
export type EventsRead = { events: StoreEvent[]; hasMore: boolean; reached: EventPosition | null }

/**
 * The most events that one read compares with a filter. The log has no index for filters, because every write would pay
 * for the index. Therefore a page may have fewer events than its limit, even none, although more events follow.
 */
export const mostScanned = 20_000n

/** The filter as an SQL condition. `filterValues` are its parameters, from $3 on. */
export const fitsQuery = `
          ($3::text[] IS NULL OR type = ANY ($3::text[])) AND ($4::text IS NULL OR subject = $4::text)
          AND NOT (is_management AND $5::boolean)`

export const filterValues = ({ kind, types, subject }: EventFilter) => [
  ...[types, subject, String(kind === 'store')],
]

/**
 * Reads the next events in order. Without `after`, begins with the oldest event that is kept. The numbers have no gaps,
 * so the inner LIMIT ends the scan at `reached`. With a condition on `number` instead, PostgreSQL's planner would expect
 * a few rows, and would often read and sort all rows up to `reached` for one page.
 */
export async function readEvents(
  { run }: Statements,
  project: Pick<Project, 'id'>,
  query: EventsQuery,
): Promise<EventsRead> {
  const { after, kind, limit } = query
  if (kind === 'management') return readManagement({ run }, project, query)
  const rows = await run({
    name: 'read_events',
    text: `
      SELECT log.reached, log.last, log.floor, mark.era, reached.era, ${columnsOf('found')}
      FROM (
        SELECT last, floor, place.after, least(place.after + ${mostScanned}, last) AS reached
        FROM event_numbers
        CROSS JOIN LATERAL (SELECT greatest($2::bigint, floor - 1) AS after) AS place
        WHERE project_id = $1::int
      ) AS log
      LEFT JOIN events AS mark ON mark.project_id = $1::int AND mark.number = $2::bigint
      LEFT JOIN events AS reached ON reached.project_id = $1::int AND reached.number = log.reached
      LEFT JOIN LATERAL (
        SELECT * FROM (
          SELECT * FROM events WHERE project_id = $1::int AND number > log.after
          ORDER BY number LIMIT greatest(log.reached - log.after, 0)
        ) AS scanned
        WHERE number <= log.reached AND ${fitsQuery}
        ORDER BY number LIMIT $6::int
      ) AS found ON true
      ORDER BY found.number`,
    values: [project.id, after === null ? null : after.number, ...filterValues(query), limit + 1],
  })
  const [first] = rows
  if (!first) {
    if (after !== null && !isLogStart(after)) throw expired()
    return { events: [], hasMore: false, reached: null }
  }
  const [end, last, floor, markEra, endEra] = first
  if (after !== null && !isReadable(after, BigInt(floor ?? 0), markEra)) throw expired()
  const found = rows.map(row => row.slice(5)).filter(([era]) => era !== null)
  const events = found.slice(0, limit).map(readEvent)
  const lastFound = events.at(-1)
  if (found.length > limit && lastFound) return { events, hasMore: true, reached: lastFound }
  const reached = { era: Number(endEra), number: BigInt(end ?? 0) }
  return { events, hasMore: reached.number < BigInt(last ?? 0), reached }
}

/** Returns true if all events after the position are kept. `markEra` is the era of the event at the position. */
const isReadable = (after: EventPosition, floor: bigint, markEra: string | null | undefined) =>
  isLogStart(after) ? floor <= 1n : after.number >= floor && Number(markEra ?? Number.NaN) === after.era

/**
 * Reads audit entries. Audit entries are kept longer than other events. Therefore this function does not compare the
 * position with `floor`, which is the number of the oldest other event that is kept.
 */
async function readManagement(
  database: Statements,
  project: Pick<Project, 'id'>,
  { after, actor = null, since = null, until = null, ...query }: EventsQuery,
): Promise<EventsRead> {
  const from = after && isLogStart(after) ? null : after
  const place = { project, from, towards: 'newer' } as const
  const { entries, ...end } = await readAudit(database, { ...query, actor, since, until, ...place })
  return { events: entries, ...end }
}

/** Reads the position at which a reader of new events of this kind begins; null if the project has no events. */
export async function findNewestEvent(
  { run }: Statements,
  project: Pick<Project, 'id'>,
  kind: EventKind | null = null,
): Promise<EventPosition | null> {
  const [row] = await run(
    kind === 'management'
      ? {
          name: 'find_newest_audit_entry',
          text: `SELECT era, number FROM events WHERE ${newestOwn}`,
          values: [project.id, null],
        }
      : {
          name: 'find_newest_event',
          text: `
            SELECT era, number FROM events JOIN event_numbers AS log USING (project_id)
            WHERE project_id = $1::int AND number = log.last`,
          values: [project.id],
        },
  )
  return row ? { era: Number(row[0]), number: BigInt(row[1] ?? 0) } : null
}

/** Finds an event by its id. */
export async function findEvent(
  { run }: Statements,
  project: Pick<Project, 'id'>,
  id: string,
): Promise<StoreEvent> {
  const position = parseEventId(id)
  const [row] = position
    ? await run({
        name: 'find_event',
        text: `
          SELECT log.floor, ${columnsOf('found')}
          FROM event_numbers AS log
          LEFT JOIN events AS found ON found.project_id = log.project_id AND found.number = $2::bigint
          WHERE log.project_id = $1::int`,
        values: [project.id, position.number],
      })
    : []
  const [floor, era] = row ?? []
  if (row && position && era != null && Number(era) === position.era) return readEvent(row.slice(1))
  if (position && row && position.number < BigInt(floor ?? 0)) throw expired()
  throw new StoreError('event_not_found', `There is no event ${JSON.stringify(id.slice(0, 40))}.`)
}
