import type { PrismaClient } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import { dayMs } from '../../tools/durations.ts'
import { tryLogLock } from './numbering.ts'

export const retentionDays = 30
export const managementRetentionDays = 180
export const mostStored = 1_000_000
const projectsOfAPiece = 500
/**
 * The most events of one project that one transaction marks as expired, and the most rows of all projects that the
 * transaction deletes.
 */
const eventsOfAPiece = 1_000
const mostDeleted = 10_000

/**
 * Deletes old events of the 500 projects that follow the project `after`. The transaction takes only some 100 ms,
 * because the numbering waits for it: of a project whose oldest event is not due, it reads no further events. Each
 * project keeps its newest event, so that the position of a client that has read everything stays valid. Returns the
 * last of these projects (null if there are none), and the number of deleted events. Returns null if another process
 * has the lock.
 */
export async function forgetOldEvents(
  db: PrismaClient,
  clock: Clock,
  after: number,
): Promise<{ last: number | null; deleted: number } | null> {
  const before = new Date(clock.now() - retentionDays * dayMs)
  const managementBefore = new Date(clock.now() - managementRetentionDays * dayMs)
  return db.$transaction(async tx => {
    const [turn] = await tx.$queryRaw<{ mine: boolean }[]>`SELECT ${tryLogLock} AS mine`
    if (!turn?.mine) return null
    const [found] = await tx.$queryRaw<{ last: number | null; deleted: bigint }[]>`
      WITH projects AS MATERIALIZED (
        SELECT project_id, last, floor FROM event_numbers WHERE project_id > ${after}::int
        ORDER BY project_id LIMIT ${projectsOfAPiece}::int
      ), due AS MATERIALIZED (
        SELECT project_id, max(next.number) + 1 AS floor FROM projects
        CROSS JOIN LATERAL (
          SELECT number, at FROM events
          WHERE project_id = projects.project_id AND number >= projects.floor AND number < projects.last
          ORDER BY number LIMIT 1
        ) AS oldest
        CROSS JOIN LATERAL (
          SELECT number, at FROM events
          WHERE project_id = projects.project_id AND number >= oldest.number AND number < projects.last
          ORDER BY number LIMIT ${eventsOfAPiece}::int
        ) AS next
        WHERE (oldest.at < ${before}::timestamptz OR oldest.number <= projects.last - ${mostStored}::bigint)
          AND (next.at < ${before}::timestamptz OR next.number <= projects.last - ${mostStored}::bigint)
        GROUP BY project_id
      ), moved AS (
        UPDATE event_numbers AS log SET floor = due.floor FROM due WHERE log.project_id = due.project_id
      ), gone AS (
        DELETE FROM events WHERE ctid = ANY (ARRAY(
          SELECT old.ctid FROM projects LEFT JOIN due USING (project_id)
          CROSS JOIN LATERAL (
            SELECT ctid FROM events
            WHERE project_id = projects.project_id AND number < coalesce(due.floor, projects.floor)
              AND (NOT is_management OR at < ${managementBefore}::timestamptz)
            ORDER BY number LIMIT ${eventsOfAPiece}::int
          ) AS old
          LIMIT ${mostDeleted}::int
        )) RETURNING project_id
      )
      SELECT (SELECT max(project_id) FROM projects) AS last, (SELECT count(*) FROM gone) AS deleted`
    return { last: found?.last ?? null, deleted: Number(found?.deleted ?? 0) }
  })
}
