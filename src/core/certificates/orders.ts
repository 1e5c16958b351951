import type { PrismaClient } from '../../generated/prisma/client.ts'
import { dayMs, hourMs } from '../../tools/durations.ts'
import type { Db } from '../db.ts'
import { StoreError } from '../errors.ts'
import { lockProject } from '../project-lock.ts'
import { isHealthy } from './certificates.ts'

/** Limits on the certificate orders of a project, so that no project uses up the authority's limits for all. */
export type OrderBounds = { perHour: number; perDay: number }

/** Authorities count the orders of a week. The service keeps each order one day longer than a week. */
const retentionMs = 8 * dayMs

export type TakenOrder =
  | { outcome: 'taken'; giveBack(): Promise<void> }
  | { outcome: 'bounded'; nextAt: Date; message: string }
  /** The name no longer has an owner. */
  | { outcome: 'unwanted' }

/** Records an order before it is sent. The order counts for the project that owns the name. */
export function takeOrder(
  db: PrismaClient,
  now: Date,
  bounds: OrderBounds,
  name: string,
): Promise<TakenOrder> {
  return db.$transaction(async tx => {
    const owner = await tx.domain.findUnique({ where: { ownedName: name }, select: { projectId: true } })
    if (!owner) return { outcome: 'unwanted' }
    const { projectId } = owner
    await lockProject(tx, projectId)
    const full = await findFullBound(tx, now, bounds, projectId)
    if (full) return { outcome: 'bounded', ...full }
    const { id } = await tx.certificateOrder.create({ data: { projectId, name, orderedAt: now } })
    const giveBack = async () => void (await db.certificateOrder.deleteMany({ where: { id } }))
    return { outcome: 'taken', giveBack }
  })
}

/** Throws if the project has used up its orders. Does not throw if the certificate needs no order. */
export async function requireOrder(
  db: Db,
  now: Date,
  bounds: OrderBounds,
  projectId: number,
  name: string,
): Promise<void> {
  if (await isHealthy(db, now, name)) return
  const full = await findFullBound(db, now, bounds, projectId)
  if (!full) return
  const retryAfterSeconds = Math.max(1, Math.ceil((full.nextAt.getTime() - now.getTime()) / 1000))
  throw new StoreError('too_many_orders', full.message, { retryAfterSeconds })
}

/**
 * Returns the message and the time of the next allowed order, or null if neither limit is used up. If the limits per
 * hour and per day are used up, returns the limit whose next order is allowed later.
 */
async function findFullBound(db: Db, now: Date, { perHour, perDay }: OrderBounds, projectId: number) {
  const full = []
  for (const [most, windowMs, window] of [
    [perHour, hourMs, 'hour'],
    [perDay, dayMs, 'day'],
  ] as const) {
    // A window with `most` orders is full. It has room again when the oldest of these orders leaves it.
    const oldest = await db.certificateOrder.findFirst({
      where: { projectId, orderedAt: { gt: new Date(now.getTime() - windowMs) } },
      orderBy: { orderedAt: 'desc' },
      skip: most - 1,
    })
    if (!oldest) continue
    const nextAt = new Date(oldest.orderedAt.getTime() + windowMs)
    const message =
      `The project has sent ${most} orders for certificates within ${window === 'day' ? 'a day' : 'an hour'}, ` +
      `which is the most; the next one can be sent at ${nextAt.toISOString()}.`
    full.push({ nextAt, message })
  }
  return full.toSorted((one, other) => Number(other.nextAt) - Number(one.nextAt))[0] ?? null
}

/**
 * Deletes orders older than eight days. Also deletes certificates that are not valid and have no next step, if their
 * name has no owner and no stored order. SQL, because Prisma has no relation from a certificate to a domain.
 */
export async function forgetOldCertificateOrders(db: Db, now: Date): Promise<void> {
  await db.certificateOrder.deleteMany({
    where: { orderedAt: { lte: new Date(now.getTime() - retentionMs) } },
  })
  await db.$executeRaw`
    DELETE FROM "certificates" c
    WHERE c.next_step_at IS NULL AND (c.not_after IS NULL OR c.not_after <= ${now})
      AND NOT EXISTS (SELECT FROM "domains" WHERE owned_name = c.name)
      AND NOT EXISTS (SELECT FROM "certificate_orders" o WHERE o.name = c.name)`
}
