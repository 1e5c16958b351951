import type { Columns, Statements } from '../../database/statements.ts'
import type { Project } from '../project.ts'
import { auditColumnsOf, readEvent, type StoreEvent } from './event.ts'
import { expired } from './expired.ts'
import type { ActorFilter, TimeFilter } from './filter-rules.ts'
import type { EventPosition } from './position.ts'
import { managementRetentionDays, retentionDays } from './retention.ts'

export type AuditFilter = TimeFilter & {
  actor: ActorFilter | null
  types: readonly string[] | null
  subject: string | null
}
/** The position of an entry in a list. A list of all projects is sorted by time, a list of one project by number. */
export type AuditPlace = EventPosition & { at: Date; projectId: number }
/** `slug` is null if the entry is the service's own, or its project is removed. */
export type AuditEntry = StoreEvent & { projectId: number; slug: string | null }

export type AuditQuery = AuditFilter & {
  /** Null: the entries of all projects. */
  project: Pick<Project, 'id'> | null
  from: EventPosition | AuditPlace | null
  towards: 'older' | 'newer'
  limit: number
}
/** `entries` are in the order in which they were read. The next read continues at `reached`. */
export type AuditRead = {
  entries: AuditEntry[]
  hasMore: boolean
  reached: EventPosition | AuditPlace | null
}

/**
 * The most entries that one read compares with a filter. Therefore a page may have fewer entries than its limit even if
 * more follow. A filter by actor parses the JSON of each entry up to three times: 5,000 entries take about 25 ms.
 */
export const mostEntriesScanned = 5_000

/** Reads audit entries, which have an index of their own. */
export async function readAudit({ run }: Statements, query: AuditQuery): Promise<AuditRead> {
  const { project, from, towards, limit, actor, types, subject, since, until } = query
  const projectId = project?.id ?? (from && 'projectId' in from ? from.projectId : null)
  const rows = await run({
    name: `read_${project ? 'own' : 'every'}_audit_${towards}`,
    text: texts[project ? 'own' : 'every'][towards],
    values: [
      ...[
        projectId,
        from?.number ?? null,
        limit + 1,
        types,
        subject,
        actor?.type ?? null,
        actor?.named ?? null,
      ],
      ...[since?.toISOString() ?? '-infinity', until?.toISOString() ?? 'infinity'],
      ...(project ? [] : [from && 'at' in from ? from.at.toISOString() : null]),
    ],
  })
  const [markEra] = rows[0] ?? []
  if (from !== null && Number(markEra ?? Number.NaN) !== from.era) throw expired()
  const found = rows.map(row => row.slice(9)).filter(([era]) => era !== null)
  const entries = found.slice(0, limit).map(readEntry)
  const last = entries.at(-1)
  if (found.length > limit && last) return { entries, hasMore: true, reached: last }
  const [edge, newest] = [readPlace(rows[0]?.slice(1, 5)), readPlace(rows[0]?.slice(5, 9))]
  if (edge) return { entries, hasMore: true, reached: edge }
  const isAhead = newest && (from === null || newest.number > from.number)
  return { entries, hasMore: false, reached: isAhead ? newest : from }
}

/** Finds an entry of a project; null if there is none. Project 0 is the service. */
export async function findAuditEntry(
  { run }: Statements,
  project: Pick<Project, 'id'>,
  { era, number }: EventPosition,
): Promise<AuditEntry | null> {
  const [row] = await run({
    name: 'find_audit_entry',
    text: `
      SELECT ${auditColumnsOf('found')}, projects.slug, found.project_id
      FROM events AS found LEFT JOIN projects ON projects.id = found.project_id
      WHERE found.is_management AND found.project_id = $1::int AND found.number = $2::bigint AND found.era = $3::int`,
    values: [project.id, number, era],
  })
  return row ? readEntry(row) : null
}

const readPlace = ([era, number, at, projectId]: Columns = []): AuditPlace | null =>
  era == null
    ? null
    : {
        era: Number(era),
        number: BigInt(number ?? 0),
        at: new Date(Number(at)),
        projectId: Number(projectId),
      }

function readEntry(columns: Columns): AuditEntry {
  const [slug, projectId] = columns.slice(-2)
  return { ...readEvent(columns), projectId: Number(projectId), slug: slug ?? null }
}

const placeOf = (table: string) =>
  `${table}.era, ${table}.number, (extract(epoch FROM ${table}.at) * 1000)::bigint, ${table}.project_id`

const matches = `
  ($4::text[] IS NULL OR type = ANY ($4::text[])) AND ($5::text IS NULL OR subject = $5::text)
  AND ($6::text IS NULL OR actor ->> 'type' = $6::text)
  AND ($7::text IS NULL OR actor ->> 'id' = $7::text OR actor ->> 'name' IN ($7::text, $6::text || ':' || $7::text))
  AND at >= $8::timestamptz AND at < $9::timestamptz`

/**
 * The position for a reader that has read all audit entries of a project. This is the newest audit entry, because audit
 * entries are kept longer than other events. But if this entry will be deleted sooner than a new event would be, or if the
 * reader is already beyond it, the position is the newest event of any kind. Otherwise the position could expire while
 * the reader waits for new entries.
 */
export const newestOwn = `
  project_id = $1::int AND number = coalesce((
    SELECT CASE WHEN number >= coalesce($2::bigint, 0) AND at > now() - interval '${managementRetentionDays - retentionDays} days' THEN number END FROM (
      SELECT number, at FROM events WHERE is_management AND project_id = $1::int ORDER BY number DESC LIMIT 1
    ) AS entry
  ), (SELECT last FROM event_numbers WHERE project_id = $1::int))`

const inProject = 'is_management AND project_id = $1::int'
const inTime = 'is_management AND at >= $8::timestamptz AND at < $9::timestamptz'
const own = {
  ...{
    scope: inProject,
    place: 'number',
    columns: 'project_id, number',
    order: (way: string) => `number ${way}`,
  },
  newest: newestOwn,
  start: { older: 'coalesce($2::bigint, 9223372036854775807)', newer: 'coalesce($2::bigint, 0)' },
}
const every = {
  ...{ scope: inTime, place: '(at, project_id, number)', columns: 'at, project_id, number' },
  newest: inTime,
  order: (way: string) => `at ${way}, project_id ${way}, number ${way}`,
  start: {
    older: `(coalesce($10::timestamptz, 'infinity'), coalesce($1::int, 0), coalesce($2::bigint, 0))`,
    newer: `(coalesce($10::timestamptz, '-infinity'), coalesce($1::int, 0), coalesce($2::bigint, 0))`,
  },
}

/**
 * Returns the SQL text that reads audit entries. A read compares at most `mostEntriesScanned` entries with the filter,
 * and the edge is the last of these entries. The edge is null if the page is full or fewer entries are left. The
 * subquery for the edge reads only the index.
 */
function textOf(
  { scope, place, columns, order, newest, start }: typeof own | typeof every,
  towards: 'older' | 'newer',
) {
  const [beyond, way] = towards === 'older' ? ['<', 'DESC'] : ['>', 'ASC']
  const rest = `${scope} AND ${place} ${beyond} ${start[towards]}`
  return `
    WITH found AS MATERIALIZED (
      SELECT * FROM (
        SELECT * FROM events WHERE ${rest} ORDER BY ${order(way)} LIMIT ${hidden(mostEntriesScanned)}
      ) AS compared
      WHERE ${matches} ORDER BY ${order(way)} LIMIT $3::int
    )
    SELECT mark.era, ${placeOf('last_compared')}, ${placeOf('newest')}, ${auditColumnsOf('found')}, projects.slug, found.project_id
    FROM (SELECT) AS request
    LEFT JOIN events AS mark ON mark.project_id = $1::int AND mark.number = $2::bigint
    LEFT JOIN LATERAL (
      SELECT ${columns} FROM events WHERE (SELECT count(*) FROM found) < $3::int AND ${rest}
      ORDER BY ${order(way)} OFFSET ${hidden(mostEntriesScanned - 1)} LIMIT 1
    ) AS edge ON true
    LEFT JOIN events AS last_compared ON last_compared.project_id = edge.project_id AND last_compared.number = edge.number
    LEFT JOIN LATERAL (SELECT * FROM events WHERE ${newest} ORDER BY ${order('DESC')} LIMIT 1) AS newest ON true
    LEFT JOIN found ON true
    LEFT JOIN projects ON projects.id = found.project_id
    ORDER BY ${order(way).replaceAll(/\b(at|project_id|number)\b/g, 'found.$1')}`
}

/**
 * Hides a number from PostgreSQL's planner. If the planner knew the high limit, it would plan to read and sort all
 * entries, although a page usually ends after a few.
 */
const hidden = (limit: number) => `(SELECT ${limit})`

const texts = {
  own: { older: textOf(own, 'older'), newer: textOf(own, 'newer') },
  every: { older: textOf(every, 'older'), newer: textOf(every, 'newer') },
}
