import { runPieceInTurn } from '../../database/pieces.ts'
import type { PrismaClient } from '../../generated/prisma/client.ts'
import type { Project } from '../project.ts'

/** Each step of the bisection reads this many events. The bisection ends when this many numbers are left. */
const eventsOfAStep = 100
const eventsOfAPiece = 2_000

/**
 * Returns the number before the first event with this time or a later one, or the number of the newest event if all are
 * older. The log has no index by time, so a bisection over the numbers finds where to begin, and the events from there
 * on are compared one by one. All reads are single look-ups of a number or short ranges of numbers. For a LIMIT of whole
 * events, PostgreSQL might read and sort the whole log. For min(number) it reads the whole log, if its statistics are
 * from before the project's first event.
 *
 * The times are not quite in the order of the numbers. An event has the time of its statement, but gets its number after
 * its transaction has committed. The service's transactions end within seven seconds: Prisma ends a transaction after
 * five seconds, and PostgreSQL a statement after two. So an event may be up to seven seconds older than an event with a
 * lower number. Therefore the bisection skips the events up to a place only if the last of them are more than ten seconds
 * older than `since`. A transaction of an operator may stay open longer. Its events mislead the bisection only if all
 * events that one step reads come from such a transaction.
 */
export async function lastBefore(
  db: PrismaClient,
  { id }: Pick<Project, 'id'>,
  since: Date,
): Promise<bigint> {
  for (let after = 0n; ; ) {
    const [piece] = await runPieceInTurn(
      id,
      () => db.$queryRaw<{ first: bigint | null; reached: bigint | null }[]>`
        WITH RECURSIVE search (low, high) AS (
          SELECT ${after}::bigint, last FROM event_numbers WHERE project_id = ${id}::int
          UNION ALL
          SELECT CASE WHEN may_follow THEN low ELSE middle END, CASE WHEN may_follow THEN middle ELSE high END
          FROM search
          CROSS JOIN LATERAL (SELECT (low + high) / 2 AS middle) AS half
          LEFT JOIN LATERAL (
            SELECT number AS place FROM events WHERE project_id = ${id}::int AND number <= middle
            ORDER BY number DESC LIMIT 1
          ) AS stored ON true
          CROSS JOIN LATERAL (
            SELECT coalesce(max(at) >= ${since}::timestamptz - interval '10 seconds', false) AS may_follow
            FROM events
            WHERE project_id = ${id}::int AND number > place - ${eventsOfAStep}::int AND number <= place
          ) AS step
          WHERE high - low > ${eventsOfAStep}::int
        )
        SELECT piece.first, piece.reached
        FROM (
          SELECT number AS place FROM events
          WHERE project_id = ${id}::int AND number > (SELECT max(low) FROM search)
          ORDER BY number LIMIT 1
        ) AS next
        CROSS JOIN LATERAL (
          SELECT min(number) FILTER (WHERE at >= ${since}::timestamptz) AS first, max(number) AS reached
          FROM events WHERE project_id = ${id}::int AND number >= place AND number < place + ${eventsOfAPiece}::int
        ) AS piece`,
    )
    if (piece?.first) return piece.first - 1n
    if (!piece?.reached) return after
    after = piece.reached
  }
}
