import type { Db } from '../db.ts'

export type EndpointCounts = { healthy: number; idle: number; failing: number; disabled: number }

/**
 * Counts the webhook endpoints of all projects by state: `failing` (no success since the last failure), `idle` (no event
 * for a day), `disabled` (by the service) and `healthy`. Does not count endpoints that their owners have disabled. Uses
 * SQL, so that one statement counts all states.
 */
export async function countEndpoints(db: Db, now: Date): Promise<EndpointCounts> {
  const [row] = await db.$queryRaw<EndpointCounts[]>`
    WITH found AS (
      SELECT CASE WHEN disabled_at IS NOT NULL THEN 'disabled' WHEN failing_since IS NOT NULL THEN 'failing'
        WHEN leased_until > ${now}::timestamptz - interval '1 day' THEN 'healthy' ELSE 'idle' END AS state
      FROM webhook_endpoints WHERE enabled
    )
    SELECT count(*) FILTER (WHERE state = 'healthy')::int AS healthy,
      count(*) FILTER (WHERE state = 'idle')::int AS idle,
      count(*) FILTER (WHERE state = 'failing')::int AS failing,
      count(*) FILTER (WHERE state = 'disabled')::int AS disabled
    FROM found`
  if (!row) throw new Error('The query for the webhook endpoints returned no row.')
  return row
}
