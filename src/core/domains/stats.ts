import type { Db } from '../db.ts'
import { graceIsOver } from '../hosts/grace-period.ts'
import { servedState } from '../hosts/served-state.ts'

/** Totals over the domains of all projects, for the operator. */
export type DomainFigures = {
  domains: Record<(typeof states)[number], number>
  certificates: {
    /** Number of certificates that end within `days` unless they are renewed. Includes those that have ended. */
    expiringWithin: { days: number; count: number }[]
    /** Null: there is no certificate. */
    soonestEnd: Date | null
    oldestOrder: Date | null
  }
}

const states = ['pending', 'stale', 'live', 'drifted', 'paused'] as const

/** Ignores certificates that are no longer renewed because their project's grace period is over. */
export async function readDomainFigures(db: Db, now: Date): Promise<DomainFigures> {
  const [row] = await db.$queryRaw<Row[]>`
    WITH "all" AS (
      SELECT d.owned_name, ${servedState(now)} AS state, ${graceIsOver(now)} AS let_go
      FROM "domains" d JOIN "projects" p ON p.id = d.project_id
    ), counted AS (
      SELECT state, count(*)::int AS count FROM "all" GROUP BY state
    )
    SELECT (SELECT json_object_agg(state, count) FROM counted) AS domains,
      min(c.ordered_at) FILTER (WHERE c.order_url IS NOT NULL) AS oldest_order,
      min(c.not_after) AS soonest_end,
      count(*) FILTER (WHERE c.not_after <= ${now}::timestamptz + interval '7 days')::int AS within_7,
      count(*) FILTER (WHERE c.not_after <= ${now}::timestamptz + interval '14 days')::int AS within_14,
      count(*) FILTER (WHERE c.not_after <= ${now}::timestamptz + interval '30 days')::int AS within_30
    FROM "all" JOIN "certificates" c ON c.name = "all".owned_name AND NOT "all".let_go`
  if (!row) throw new Error('The query for the domain figures returned no row.')
  const counts = { pending: 0, stale: 0, live: 0, drifted: 0, paused: 0, ...row.domains }
  return {
    domains: counts,
    certificates: {
      expiringWithin: [
        { days: 7, count: row.within_7 },
        { days: 14, count: row.within_14 },
        { days: 30, count: row.within_30 },
      ],
      soonestEnd: row.soonest_end,
      oldestOrder: row.oldest_order,
    },
  }
}

type Row = {
  domains: Partial<DomainFigures['domains']> | null
  oldest_order: Date | null
  soonest_end: Date | null
  within_7: number
  within_14: number
  within_30: number
}
