import { Prisma } from '../../generated/prisma/client.ts'
import { dayMs } from '../../tools/durations.ts'
import type { Db } from '../db.ts'
import { recordFoundByProject } from '../found-by-project.ts'
import { closedAfterMs } from '../usage/report.ts'
import { managementRetentionDays } from './retention.ts'

/**
 * The event `api_key.expiring` is written when a key ends within this time. The dashboard must begin to warn of the
 * key's end equally early.
 */
const keyMs = 14 * dayMs
/** Number of past days whose usage is written. Billing systems refuse older days. */
const usageDays = 35
const forgottenAtOnce = 10_000

/** Writes one event for each API key in use that ends soon. */
export async function recordExpiringKeys(db: Db, now: Date, signal: AbortSignal): Promise<void> {
  await recordFoundByProject(
    db,
    signal,
    ({ after, upTo }) => Prisma.sql`
      SELECT project_id, 'key ' || id || ' ' || expires_at AS what, 'api_key.expiring' AS type,
        'api_key:' || id AS subject, json_strip_nulls(shown_api_key(k)) AS data
      FROM api_keys AS k
      WHERE project_id > ${after} AND project_id <= ${upTo} AND revoked_at IS NULL AND successor_id IS NULL
        AND expires_at > ${now} AND expires_at <= ${new Date(now.getTime() + keyMs)}`,
  )
}

/**
 * Writes an event for each day that is over and each project with usage on the day. When all events of a day are
 * written, adds a notice with the project id 0, which marks the day as done. The next run skips the days that are
 * marked as done.
 */
export async function recordUsage(db: Db, now: Date, signal: AbortSignal, most?: number): Promise<void> {
  const last = Math.floor((now.getTime() - closedAfterMs) / dayMs) - 1
  const days = Array.from({ length: usageDays }, (_, index) => dayOf(last - usageDays + 1 + index))
  const written = await db.notice.findMany({
    where: { projectId: 0, what: { in: days.map(markOf) } },
    select: { what: true },
  })
  for (const day of days) {
    if (written.some(({ what }) => what === markOf(day))) continue
    // Reads the usage of one project after the other: `usage` has no index by day, so one scan would read all its days.
    await recordFoundByProject(
      db,
      signal,
      ({ after, upTo }) => Prisma.sql`
        SELECT id AS project_id, ${markOf(day)} AS what, 'usage.recorded' AS type, 'project:' || slug AS subject,
          json_build_object('id', 'usage:' || slug || ':' || ${day}::text, 'day', ${day}::text,
            'requests', requests, 'refusals', refusals, 'faulty', faulty,
            'failed', failed, 'served', requests - faulty - failed) AS data
        FROM projects CROSS JOIN LATERAL (
          SELECT sum(requests)::bigint AS requests, sum(refusals)::bigint AS refusals, sum(faulty)::bigint AS faulty,
            sum(failed)::bigint AS failed
          FROM usage WHERE project_id = projects.id AND day = ${day}::date HAVING count(*) > 0
        ) AS used
        WHERE id > ${after} AND id <= ${upTo}`,
      most,
    )
    await db.notice.createMany({ data: { projectId: 0, what: markOf(day) }, skipDuplicates: true })
  }
}

const dayOf = (number: number) => new Date(number * dayMs).toISOString().slice(0, 10)
const markOf = (day: string) => `usage ${day}`

/**
 * Deletes notices that are older than the retention period of management events, in batches. Without the notices,
 * `recordUsage` and `recordExpiringKeys` still write no event twice: `recordUsage` reads only recent days, and
 * `recordExpiringKeys` skips keys that have expired.
 */
export async function forgetOldNotices(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - managementRetentionDays * dayMs)
  await db.$executeRaw`
    DELETE FROM notices WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM notices WHERE at < ${before} ORDER BY at LIMIT ${forgottenAtOnce}))`
}
