import type { PrismaClient } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import { dayMs } from '../../tools/durations.ts'
import { tryLogLock } from './numbering.ts'

export const retentionDays = 30
export const managementRetentionDays = 180
/** The most of its newest events that a project keeps, and the most management events that are older than these. */
const mostKept = 1_000_000
const projectsOfAPiece = 500
/** The most events of one project, and the most projects with old events, from which one transaction deletes. */
const eventsOfAPiece = 1_000
const projectsWithOldEvents = 10

/**
 * Deletes old events of the 500 projects with the next ids after `after`. The numbering of events waits for this
 * transaction, so it must end within some 100 ms: if the oldest event of a project is not due, the other events of this
 * project are not read. Each project keeps its newest event, so that the position of a client that has read everything
 * stays valid. Management events are kept longer than other events, but at most a million for each project, because one
 * key can cause 400,000 a day. Returns the last project that was checked as `last`, which is null if no project follows
 * `after`. `isDone` is true if none of the checked projects has old events any more. Returns null if another process has
 * the lock.
 */
export async function forgetOldEvents(
  db: PrismaClient,
  clock: Clock,
  after: number,
  most = mostKept,
): Promise<{ last: number | null; isDone: boolean } | null> {
  const before = new Date(clock.now() - retentionDays * dayMs)
  const managementBefore = new Date(clock.now() - managementRetentionDays * dayMs)
  return db.$transaction(async tx => {
    const [turn] = await tx.$queryRaw<{ mine: boolean }[]>`SELECT ${tryLogLock} AS mine`
    if (!turn?.mine) return null
    const [found] = await tx.$queryRaw<{ last: number | null; old: bigint }[]>`
      WITH projects AS MATERIALIZED (
        SELECT project_id, last, floor FROM event_numbers WHERE project_id > ${after}::int
        ORDER BY project_id LIMIT ${projectsOfAPiece}::int
      ), begun AS MATERIALIZED (
        SELECT project_id, last, first.number FROM projects
        CROSS JOIN LATERAL (
          SELECT number FROM events
          WHERE project_id = projects.project_id AND number >= projects.floor AND number < projects.last
          ORDER BY number LIMIT 1
        ) AS first
        CROSS JOIN LATERAL (
          SELECT at FROM events WHERE project_id = projects.project_id AND number = first.number LIMIT 1
        ) AS oldest
        WHERE oldest.at < ${before}::timestamptz OR first.number <= projects.last - ${most}::bigint
        LIMIT ${projectsWithOldEvents}::int
      ), due AS MATERIALIZED (
        SELECT project_id, begun.number AS first, max(next.number) + 1 AS floor FROM begun
        CROSS JOIN LATERAL (
          SELECT number, at FROM events
          WHERE project_id = begun.project_id AND number >= begun.number AND number < begun.last
          ORDER BY number LIMIT ${eventsOfAPiece}::int
        ) AS next
        WHERE next.at < ${before}::timestamptz OR next.number <= begun.last - ${most}::bigint
        GROUP BY project_id, first
      ), due_management AS MATERIALIZED (
        SELECT project_id, floor, surplus.number AS last_surplus FROM projects
        CROSS JOIN LATERAL (
          SELECT number FROM events WHERE project_id = projects.project_id AND is_management
          ORDER BY number LIMIT 1
        ) AS first
        CROSS JOIN LATERAL (
          SELECT at FROM events WHERE project_id = projects.project_id AND number = first.number LIMIT 1
        ) AS oldest
        LEFT JOIN LATERAL (
          SELECT number FROM events
          WHERE project_id = projects.project_id AND is_management AND number > first.number
            AND first.number <= projects.last - ${most}::bigint
          ORDER BY number DESC OFFSET (SELECT ${most - 1}::int) LIMIT 1
        ) AS surplus ON true
        WHERE first.number < projects.floor
          AND (oldest.at < ${managementBefore}::timestamptz OR surplus.number IS NOT NULL)
        LIMIT ${projectsWithOldEvents}::int
      ), moved AS (
        UPDATE event_numbers AS log SET floor = due.floor FROM due WHERE log.project_id = due.project_id
      ), gone AS (
        DELETE FROM events WHERE ctid = ANY (ARRAY(
          SELECT old.ctid FROM due CROSS JOIN LATERAL (
            SELECT ctid FROM events
            WHERE project_id = due.project_id AND number >= due.first AND number < due.floor AND NOT is_management
            LIMIT ${eventsOfAPiece}::int
          ) AS old
          UNION ALL
          SELECT old.ctid FROM due_management CROSS JOIN LATERAL (
            SELECT number FROM events
            WHERE project_id = due_management.project_id AND is_management AND number < due_management.floor
            ORDER BY number LIMIT ${eventsOfAPiece}::int
          ) AS next
          CROSS JOIN LATERAL (
            SELECT ctid, at FROM events
            WHERE project_id = due_management.project_id AND number = next.number LIMIT 1
          ) AS old
          WHERE old.at < ${managementBefore}::timestamptz OR next.number < due_management.last_surplus
        )) RETURNING project_id
      )
      SELECT (SELECT max(project_id) FROM projects) AS last,
        (SELECT count(*) FROM due) + (SELECT count(*) FROM gone) AS old`
    return { last: found?.last ?? null, isDone: !found?.old }
  })
}
