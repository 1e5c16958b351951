import { runPieceInTurn } from '../../database/pieces.ts'
import type { Statements } from '../../database/statements.ts'
import type { Project } from '../project.ts'
import { priceOf } from '../projects/limits.ts'
import { type AuditFilter, type AuditRead, readAudit } from './audit-log.ts'
import type { StoreEvent } from './event.ts'
import { findNewestEvent } from './log.ts'
import type { EventPosition } from './position.ts'

const entriesOfARequest = 1_000
/** Entries in memory at a time, however large the export is. */
const entriesOfAPage = 500

/** Returns the cost of an export: one request per thousand entries of the project's audit log, rounded up. */
export async function priceOfAuditExport({ run }: Statements, project: Project): Promise<number> {
  const most = Math.min(project.limits.perMinute, project.limits.perDay) * entriesOfARequest
  const [row] = await run({
    name: 'count_audit_entries',
    text: `
      SELECT count(*) FROM (
        SELECT FROM events WHERE is_management AND project_id = $1::int ORDER BY number LIMIT $2::bigint
      ) AS counted`,
    values: [project.id, most],
  })
  return priceOf(project, Number(row?.[0] ?? 0) / entriesOfARequest)
}

/**
 * Yields the audit entries that match, the oldest first, page by page, and holds no connection between pages. Leaves out
 * entries that are written during the export; otherwise it might never end.
 */
export async function* exportAudit(
  database: Statements,
  project: Project,
  filter: AuditFilter,
): AsyncGenerator<StoreEvent[]> {
  const newest = await findNewestEvent(database, project)
  const page = { ...filter, project, towards: 'newer', limit: entriesOfAPage } as const
  let from: EventPosition | null = null
  for (let hasMore = newest !== null; hasMore; ) {
    const requested = { ...page, from }
    const read: AuditRead = await runPieceInTurn(project.id, () => readAudit(database, requested))
    const known = read.entries.filter(({ number }) => newest && number <= newest.number)
    if (known.length > 0) yield known
    from = read.reached
    hasMore = read.hasMore && from !== null && newest !== null && from.number < newest.number
  }
}
