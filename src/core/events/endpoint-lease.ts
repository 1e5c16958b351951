import { Prisma, type PrismaClient, type WebhookEndpoint } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import { manage } from '../acts.ts'
import type { Db } from '../db.ts'
import type { DeliveryOutcome } from './delivery-outcome.ts'
import { pauseAside } from './retry-schedule.ts'

/**
 * Longer than the time until the first outcome of a turn, so that a running process does not lose its lease: 5 s for
 * unwanted events, 1 s of waiting, and 15 s of an attempt. If a process is killed, its endpoints wait this long for
 * another process.
 */
const leaseMs = 25_000

/**
 * Leases endpoints that have an event to send, and ends their pauses. Takes first one endpoint of each project, then a
 * second endpoint of each project, and so on. The update checks each row's conditions again, because the endpoint's
 * owner or another process may have changed the row after the selection. If an endpoint has no lease, its `leased_until`
 * is the time of the last release, and does not count: a process whose clock was ahead may have written it. Reads only
 * the endpoints of `projectIds`, or all endpoints if it is null.
 */
export async function claimDueEndpoints(
  db: PrismaClient,
  clock: Clock,
  most: number,
  projectIds: number[] | null,
): Promise<WebhookEndpoint[]> {
  const now = new Date(clock.now())
  const until = new Date(clock.now() + leaseMs)
  // Name the projects for both tables, because PostgreSQL might otherwise read the numbers of all projects.
  const ofProjects = (table: 'e' | 'n') =>
    projectIds ? Prisma.sql`AND ${Prisma.raw(table)}.project_id = ANY (${projectIds}::int[])` : Prisma.empty
  const leased = await db.$queryRaw<{ id: string; lease: string }[]>`
    WITH due AS (
      SELECT e.id, coalesce(e.leased_until, e.created_at) AS since,
        row_number() OVER (PARTITION BY e.project_id ORDER BY coalesce(e.leased_until, e.created_at)) AS turn
      FROM webhook_endpoints AS e LEFT JOIN event_numbers AS n ON n.project_id = e.project_id ${ofProjects('n')}
      WHERE e.enabled AND e.disabled_at IS NULL ${ofProjects('e')}
        AND (e.lease IS NULL OR e.leased_until <= ${now}) AND (e.next_try_at IS NULL OR e.next_try_at <= ${now})
        AND (n.last > e.delivered OR EXISTS (
          SELECT FROM set_aside_events AS s WHERE s.endpoint_id = e.id AND s.next_try_at <= ${now}))
    )
    UPDATE webhook_endpoints AS e SET lease = gen_random_uuid(), leased_until = ${until}, next_try_at = NULL
    WHERE e.id = ANY (ARRAY(SELECT id FROM due ORDER BY turn, since LIMIT ${most}))
      AND e.enabled AND e.disabled_at IS NULL AND (e.lease IS NULL OR e.leased_until <= ${now})
    RETURNING e.id, e.lease`
  // Skip the second query if no endpoint was leased. Often no endpoint is due, because new events of a project without
  // endpoints cause a call of this function too.
  if (leased.length === 0) return []
  // Match the lease too: an owner may have ended it in the meantime.
  return db.webhookEndpoint.findMany({ where: { OR: leased.map(({ id, lease }) => ({ id, lease })) } })
}

export type Lease = {
  endpoint: WebhookEndpoint
  /** Writes an outcome and extends the lease. Returns false if another process holds it, or the owner ended it. */
  write(outcome: DeliveryOutcome, number: bigint | null): Promise<boolean>
  release(): Promise<void>
}

export function openLease({ db, clock }: { db: PrismaClient; clock: Clock }, leased: WebhookEndpoint): Lease {
  const endpoint = { ...leased }
  /**
   * The last `delivered` of the endpoint's row. A failover to a replica without the last writes may set the row back, and
   * the numbers after it then belong to other events.
   */
  let { delivered } = leased
  // An owner who moves the cursor or enables the endpoint again takes the lease away: the owner's change wins.
  const held = () => ({ id: leased.id, lease: leased.lease, delivered })
  let isAsked = false
  return {
    endpoint,
    async write({ progress, isSetAside }, number) {
      Object.assign(endpoint, progress)
      const leasedUntil = new Date(clock.now() + leaseMs)
      const data = { ...progress, delivered: endpoint.delivered, leasedUntil }
      const count = await writeRow(data, isSetAside ? number : null)
      delivered = endpoint.delivered
      return count > 0
    },
    async release() {
      // Store the time of the release in `leasedUntil`, because `claimDueEndpoints` prefers the endpoints that were
      // released longest ago.
      const data = { lease: null, leasedUntil: new Date(clock.now()), delivered: endpoint.delivered }
      await db.webhookEndpoint.updateMany({ where: held(), data })
    },
  }

  /** Returns 1, or 0 if this process does not hold the lease any more. */
  async function writeRow(data: Partial<WebhookEndpoint>, setAside: bigint | null): Promise<number> {
    if (data.disabledAt)
      return (await manage(db, tx => tx.webhookEndpoint.updateMany({ where: held(), data }))).count
    if (setAside === null) return update(db, data)
    return db.$transaction(async tx => {
      const count = await update(tx, data)
      const nextTryAt = new Date(clock.now() + (pauseAside(0) ?? 0))
      const row = { endpointId: endpoint.id, eventNumber: setAside, nextTryAt }
      if (count > 0) await tx.setAsideEvent.createMany({ data: row, skipDuplicates: true })
      return count
    })
  }

  /**
   * Makes no pause if the owner has requested a redelivery since the lease began. The request has set `nextTryAt`, which is
   * null while a process holds the lease.
   */
  async function update(tx: Db, data: Partial<WebhookEndpoint>): Promise<number> {
    const withoutPause = { ...data, nextTryAt: null }
    const unasked = { where: { ...held(), nextTryAt: null }, data: isAsked ? withoutPause : data }
    const { count } = await tx.webhookEndpoint.updateMany(unasked)
    if (count > 0) return count
    isAsked = true
    return (await tx.webhookEndpoint.updateMany({ where: held(), data: withoutPause })).count
  }
}
