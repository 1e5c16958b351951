import type { PrismaClient } from '../../generated/prisma/client.ts'
import type { Db } from '../db.ts'

const retentionMs = 30 * 24 * 60 * 60 * 1000
const forgottenAtOnce = 10_000
/** The number of attempts that an endpoint keeps. */
export const mostDeliveries = 10_000
/** Deleting this many attempts takes some 20 ms. */
const forgottenOfEndpoint = 2_000

/** Deletes attempts older than 30 days, in batches. */
export async function forgetOldDeliveries(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - retentionMs)
  await db.$executeRaw`
    DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(
      SELECT id FROM webhook_deliveries WHERE at < ${before} ORDER BY at LIMIT ${forgottenAtOnce}))`
}

/**
 * Deletes attempts of an endpoint, the oldest first, but not the newest `kept` ones. Deletes only some of them in one
 * call, because an earlier version kept millions. Returns how many.
 */
export const forgetDeliveries = (db: PrismaClient, endpointId: string, kept: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(
      SELECT id FROM webhook_deliveries WHERE endpoint_id = ${endpointId}::uuid AND id <= (
        SELECT id FROM webhook_deliveries WHERE endpoint_id = ${endpointId}::uuid
        ORDER BY id DESC OFFSET ${kept}::int LIMIT 1)
      ORDER BY id LIMIT ${forgottenOfEndpoint}::int))`
