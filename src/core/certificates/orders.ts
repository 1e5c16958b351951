import type { PrismaClient } from '../../generated/prisma/client.ts'
import type { Db } from '../db.ts'
import { StoreError } from '../errors.ts'
import { lockProject } from '../projects/lock.ts'
import { isInOrder } from './certificates.ts'

/** How many orders for certificates a project may send, so that none uses up what the authority allows for all. */
export type OrderBounds = { perHour: number; perDay: number }

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Authorities count up to a week back. */
const keptMs = 8 * dayMs

export type TakenOrder =
  | { outcome: 'taken'; giveBack(): Promise<void> }
  | { outcome: 'bounded'; nextAt: Date; message: string }
  /** Nobody has the name any more. */
  | { outcome: 'unwanted' }

/** Writes an order down before it is sent, for the project that has proven the name. */
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

/** Refuses a new attempt for which the project has no order left; a certificate that is in order needs none. */
export async function requireOrder(
  db: Db,
  now: Date,
  bounds: OrderBounds,
  projectId: number,
  name: string,
): Promise<void> {
  if (await isInOrder(db, now, name)) return
  const full = await findFullBound(db, now, bounds, projectId)
  if (!full) return
  const retryAfterSeconds = Math.max(1, Math.ceil((full.nextAt.getTime() - now.getTime()) / 1000))
  throw new StoreError('too_many_orders', full.message, { retryAfterSeconds })
}

/** The bound that lets no order pass now, and from when it does; of two the later one. */
async function findFullBound(db: Db, now: Date, { perHour, perDay }: OrderBounds, projectId: number) {
  const full = []
  for (const [most, windowMs, window] of [
    [perHour, hourMs, 'hour'],
    [perDay, dayMs, 'day'],
  ] as const) {
    // Where there are as many as that within the window, its end is when the oldest of them leaves it.
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

/** Forgets orders that nobody counts any more, and what was kept of names that nobody has had for as long. */
export async function forgetOldOrders(db: Db, now: Date): Promise<void> {
  await db.certificateOrder.deleteMany({ where: { orderedAt: { lte: new Date(now.getTime() - keptMs) } } })
  await db.$executeRaw`
    DELETE FROM "certificates" c
    WHERE c.next_step_at IS NULL AND (c.not_after IS NULL OR c.not_after <= ${now})
      AND NOT EXISTS (SELECT FROM "domains" WHERE owned_name = c.name)
      AND NOT EXISTS (SELECT FROM "certificate_orders" o WHERE o.name = c.name)`
}
