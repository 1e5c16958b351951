import type { Statements } from '../../database/statements.ts'
import { currentTimeline } from '../../database/timeline.ts'
import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts'
import type { Db } from '../db.ts'

/** The most events that one transaction numbers: 2,000 take up to 70 ms. */
export const mostNumbered = 2_000

/**
 * True if the database has not gone back in time. If a dump has restored the row of event_era, the xmin of the row
 * differs from the column `written_by`. If the cluster was recovered or promoted, the timeline of the cluster differs
 * from the column `timeline`.
 */
const isEraSound = `xmin::text = (written_by::text::bigint & 4294967295)::text
  AND timeline = ${currentTimeline}`

/**
 * Triggers write new events into the table `told`, without a number. Returns true if `told` has rows, or if the
 * database has gone back in time.
 */
export async function isNumberingDue({ run }: Statements): Promise<boolean> {
  const [row] = await run({
    name: 'is_numbering_due',
    text: `SELECT (EXISTS (SELECT FROM told) OR NOT EXISTS (SELECT FROM event_era WHERE ${isEraSound}))::text`,
    values: [],
  })
  return row?.[0] === 'true'
}

/**
 * Moves new events into the log with their project's next numbers, and returns how many. Only one process at a time
 * does this. The triggers cannot assign the numbers: a sequence would leave gaps, and a counter would stay locked until
 * the change is committed. The lock is taken by a separate, earlier statement, because the snapshot of a statement is
 * older than a lock that the statement itself takes. With such a snapshot, events that the previous holder of the lock
 * has just numbered would be numbered again.
 */
export async function numberEvents(db: PrismaClient): Promise<number> {
  return db.$transaction(async tx => {
    const [turn] = await tx.$queryRaw<{ mine: boolean }[]>`SELECT ${tryLogLock} AS mine`
    if (!turn?.mine) return 0
    await beginEraIfRestored(tx)
    return tx.$executeRaw`
      WITH gone AS (
        DELETE FROM told WHERE id = ANY (ARRAY(SELECT id FROM told ORDER BY id LIMIT ${mostNumbered})) RETURNING *
      ), placed AS MATERIALIZED (
        SELECT *, row_number() OVER (PARTITION BY project_id ORDER BY id) AS place FROM gone
      ), counted AS (
        SELECT project_id, count(*) AS many FROM placed GROUP BY project_id
      ), bumped AS (
        INSERT INTO event_numbers AS n (project_id, last) SELECT project_id, many FROM counted
        ON CONFLICT (project_id) DO UPDATE SET last = n.last + excluded.last RETURNING project_id, last
      ), rung AS (
        INSERT INTO changes (what, project_id) SELECT 'events', project_id FROM counted
      )
      INSERT INTO events (project_id, era, number, at, is_management, type, subject, data, previous,
        actor, door, address, request_id)
      SELECT project_id, (SELECT era FROM event_era), bumped.last - counted.many + placed.place, at, is_management, type,
        subject, data, previous, actor, door, address, request_id
      FROM placed JOIN counted USING (project_id) JOIN bumped USING (project_id)`
  })
}

/** The advisory lock of the transactions that write the log. */
export const tryLogLock = Prisma.sql`pg_try_advisory_xact_lock(hashtextextended('events', 0))`

/**
 * After a restore, begins a new era and notifies every project that anything may have changed, because the triggers did
 * not run for the restore.
 */
async function beginEraIfRestored(tx: Db): Promise<void> {
  const [era] = await tx.$queryRawUnsafe<{ is_sound: boolean }[]>(
    `SELECT ${isEraSound} AS is_sound FROM event_era`,
  )
  if (era?.is_sound) return
  await tx.$executeRaw`
    INSERT INTO event_era (era, timeline)
    VALUES ((random() * 4294967295)::bigint - 2147483648, ${Prisma.raw(currentTimeline)})
    ON CONFLICT (id) DO UPDATE
    SET era = excluded.era, timeline = excluded.timeline, written_by = pg_current_xact_id()`
  await tx.$executeRaw`INSERT INTO told (project_id, type, data) SELECT id, 'pets.replaced', '{}' FROM projects`
}
