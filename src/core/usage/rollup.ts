import type { Statements } from '../../database/statements.ts'
import type { Clock } from '../../tools/clock.ts'
import { dayMs, hourMs } from '../../tools/durations.ts'
import { sumOfBoth } from './latency.ts'
import { mostDays, mostHours } from './spans.ts'

/** Hours are kept longer by this margin, because the clocks of processes differ. */
const marginMs = hourMs

/**
 * Limits the sizes of `key_usage` and `latencies`: adds old hours to the first hour of their day, and deletes old days.
 * A lock lets only one process at a time add up hours. Each statement changes a limited number of rows; the next run
 * continues.
 */
export async function addUpHours({ run }: Statements, clock: Clock): Promise<void> {
  const thisHour = Math.floor(clock.now() / hourMs) * hourMs
  const oldest = Math.floor(clock.now() / dayMs) * dayMs - mostDays * dayMs
  const before = thisHour - mostHours * hourMs - marginMs
  const days = Array.from({ length: mostDays + 1 }, (_, i) => oldest + i * dayMs).filter(day => day < before)
  for (const table of ['key_usage', 'latencies']) {
    await run({
      name: `forget_old_${table}`,
      text: `
        DELETE FROM ${table}
        WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE hour < $1::timestamptz LIMIT 5000))`,
      values: [instant(oldest)],
    })
  }
  await run({
    name: 'add_up_key_usage',
    text: `
      WITH ${takenFrom('key_usage')}
      INSERT INTO key_usage AS first (project_id, api_key_id, hour, door, requests, refusals, faulty, failed)
      SELECT project_id, api_key_id, date_trunc('day', hour, 'UTC') AS day, door,
        sum(requests), sum(refusals), sum(faulty), sum(failed)
      FROM added GROUP BY project_id, api_key_id, day, door
      ON CONFLICT (project_id, hour, api_key_id, door) DO UPDATE
      SET requests = first.requests + excluded.requests, refusals = first.refusals + excluded.refusals,
        faulty = first.faulty + excluded.faulty, failed = first.failed + excluded.failed`,
    values: [days.map(instant), instant(before)],
  })
  await run({
    name: 'add_up_latencies',
    text: `
      WITH ${takenFrom('latencies')}, summed AS (
        SELECT project_id, date_trunc('day', hour, 'UTC') AS day, door, bucket, sum(count)::bigint AS count
        FROM added CROSS JOIN unnest(counts) WITH ORDINALITY AS part(count, bucket)
        GROUP BY project_id, day, door, bucket
      )
      INSERT INTO latencies AS first (project_id, hour, door, counts)
      SELECT project_id, day, door, array_agg(count ORDER BY bucket) FROM summed GROUP BY project_id, day, door
      ON CONFLICT (project_id, hour, door) DO UPDATE SET counts = ${sumOfBoth('first.counts', 'excluded.counts')}`,
    values: [days.map(instant), instant(before)],
  })
}

/**
 * SQL that deletes rows and returns the deleted rows, which the caller adds to the first hour of their day. $1 is a
 * list of beginnings of days. In each of these days, the SQL deletes the hours before the time $2, except the first
 * hour of the day. Deletes no row if another process has the lock.
 */
const takenFrom = (table: string) => `turn AS MATERIALIZED (
        SELECT pg_try_advisory_xact_lock(hashtextextended('${table}', 0)) AS mine
      ), added AS (
        DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
          SELECT of_day.ctid FROM unnest($1::timestamptz[]) AS begins
          CROSS JOIN LATERAL (
            SELECT ctid FROM ${table}
            WHERE hour > begins AND hour < least(begins + interval '24 hours', $2::timestamptz) LIMIT 5000
          ) AS of_day
          WHERE (SELECT mine FROM turn) LIMIT 5000
        )) RETURNING *
      )`

const instant = (at: number) => new Date(at).toISOString()
