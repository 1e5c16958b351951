import { isUniqueViolation } from '../database/faults.ts'
import { Prisma } from '../generated/prisma/client.ts'
import type { Limiter } from '../limiter/limiter.ts'
import type { Clock } from '../tools/clock.ts'
import type { Db } from './db.ts'
import { StoreError } from './errors.ts'
import { hashOf, inFlight, keptMs, mismatch, takeTurn } from './idempotency.ts'
import type { NewOrder } from './order-rules.ts'
import { findOrder, type Order, orderColumns } from './orders.ts'
import { outdatePages } from './page-cache.ts'
import type { Project } from './projects.ts'

type Tools = { db: Db; clock: Clock; limiter: Pick<Limiter, 'renewVersion'> }

/** An order that was placed, now or by an earlier request under the same key. */
export type PlacedOrder = { order: Order; isReplayed: boolean }

/** Places an order, once for each idempotency key; when it answers, the pet is pending at every door. */
export async function placeOrder(
  { db, clock, limiter }: Tools,
  project: Project,
  input: NewOrder,
  idempotencyKey: string | null,
): Promise<PlacedOrder> {
  const placed = await place(db, clock, project, input, idempotencyKey)
  await outdatePages(limiter, project)
  return placed
}

type Outcome = {
  mine: boolean
  keptHash: Uint8Array | null
  keptOrder: bigint | null
  /** The order that has the reference already. */
  taken: bigint | null
  isPetThere: boolean
} & (Order | { [Field in keyof Order]: null })

async function place(
  db: Db,
  clock: Clock,
  project: Project,
  input: NewOrder,
  key: string | null,
): Promise<PlacedOrder> {
  const inputHash = hashOf(['order', String(input.petId), input.reference, input.note])
  // A statement that began before a rival's commit cannot see it, though the pet's row or a unique key stops it; the next one can.
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptToPlace(db, clock, project, input, key, inputHash)
    if (outcome === 'rivalled') {
      if (attempt < 3) continue
      throw notAvailable(input)
    }
    const { mine, keptHash, keptOrder, taken, isPetThere, ...order } = outcome
    if (order.id !== null) return { order, isReplayed: false }
    if (keptHash) {
      if (Buffer.compare(keptHash, inputHash) !== 0 || keptOrder === null) throw mismatch('order')
      return { order: asPlaced(await findOrder(db, project, keptOrder)), isReplayed: true }
    }
    if (!mine) throw inFlight()
    if (key !== null && attempt === 1) continue
    if (taken !== null)
      throw new StoreError('order_exists', `The order ${taken} has the reference ${input.reference} already.`)
    if (!isPetThere) throw new StoreError('pet_not_found', `There is no pet ${input.petId}.`)
    throw notAvailable(input)
  }
}

/**
 * The pet, the order and the claim of the key change in one statement, or none of them does. The pet's row is held first, so
 * that of all who want a pet one gets it, and the others see that it is gone.
 */
async function attemptToPlace(
  db: Db,
  clock: Clock,
  project: Project,
  { petId, reference, note }: NewOrder,
  key: string | null,
  inputHash: Uint8Array,
): Promise<Outcome | 'rivalled'> {
  const now = new Date(clock.now())
  const expiresAt = new Date(clock.now() + keptMs)
  const statement = Prisma.sql`
    WITH turn AS MATERIALIZED (
      SELECT ${key === null ? Prisma.sql`true` : takeTurn(project, key)} AS mine
    ), kept AS MATERIALIZED (
      SELECT input_hash, order_id FROM idempotent_creations
      WHERE project_id = ${project.id}::int AND key = ${key}::text AND expires_at > ${now}::timestamptz
    ), taken AS MATERIALIZED (
      SELECT id FROM "orders" WHERE project_id = ${project.id}::int AND reference = ${reference}::text
    ), held AS MATERIALIZED (
      SELECT pets.id, pets.name, pets.category_id, pets.status FROM turn, "pets"
      WHERE turn.mine AND NOT EXISTS (SELECT FROM kept) AND NOT EXISTS (SELECT FROM taken)
        AND pets.project_id = ${project.id}::int AND pets.id = ${petId}::bigint
        AND pets.open_order_id IS NULL AND (pets.status IS NULL OR pets.status = 'available')
      FOR NO KEY UPDATE OF pets
    ), next AS MATERIALIZED (
      SELECT held.*, nextval(pg_get_serial_sequence('orders', 'id')) AS order_id FROM held
    ), claim AS (
      INSERT INTO idempotent_creations AS old (project_id, key, input_hash, order_id, expires_at)
      SELECT ${project.id}::int, ${key}::text, ${inputHash}::bytea, order_id, ${expiresAt}::timestamptz
      FROM next WHERE ${key}::text IS NOT NULL
      ON CONFLICT (project_id, key) DO UPDATE
      SET input_hash = excluded.input_hash, pet_id = NULL, order_id = excluded.order_id, imported_pets = NULL,
        last_pet_id = NULL, expires_at = excluded.expires_at
      WHERE old.expires_at <= ${now}::timestamptz
      RETURNING order_id
    ), moved AS (
      UPDATE "pets" SET status = 'pending', open_order_id = next.order_id FROM next
      WHERE pets.project_id = ${project.id}::int AND pets.id = next.id
        AND (${key}::text IS NULL OR next.order_id IN (SELECT order_id FROM claim))
      RETURNING next.*
    ), placed AS (
      INSERT INTO "orders" (id, project_id, pet_id, pet_name, category_id, former_status, reference, note)
      SELECT order_id, ${project.id}::int, id, name, category_id, status, ${reference}::text, ${note}::text FROM moved
      RETURNING ${orderColumns}
    )
    SELECT turn.mine, kept.input_hash AS "keptHash", kept.order_id AS "keptOrder", taken.id AS "taken",
      EXISTS (
        SELECT FROM "pets" WHERE project_id = ${project.id}::int AND pets.id = ${petId}::bigint
      ) AS "isPetThere", placed.*
    FROM turn LEFT JOIN kept ON true LEFT JOIN taken ON true LEFT JOIN placed ON true`
  try {
    const [outcome] = await db.$queryRaw<Outcome[]>(statement)
    if (!outcome) throw new Error('Nothing was answered to an order.')
    return outcome
  } catch (error) {
    if (isUniqueViolation(error)) return 'rivalled'
    throw error
  }
}

/** As the first answer told it, whatever has become of the order since. */
function asPlaced(order: Order): Order {
  return { ...order, status: 'placed', approvedAt: null, deliveredAt: null, cancelledAt: null }
}

const notAvailable = ({ petId }: NewOrder) =>
  new StoreError('pet_not_available', `Pet ${petId} cannot be ordered: it is pending or sold.`)
