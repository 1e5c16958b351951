import { isUniqueViolation } from '../database/faults.ts'
import type { Statements } from '../database/statements.ts'
import type { Limiter } from '../limiter/limiter.ts'
import type { Clock } from '../tools/clock.ts'
import type { Db } from './db.ts'
import { StoreError } from './errors.ts'
import { hashOf, inFlight, keptMs, mismatch, turnOf } from './idempotency.ts'
import type { NewOrder } from './order-rules.ts'
import { findOrder, type Order } from './orders.ts'
import { outdatePages } from './page-cache.ts'
import type { Project } from './projects.ts'

type Tools = { db: Db; database: Statements; clock: Clock; limiter: Pick<Limiter, 'renewVersion'> }

/** An order that was placed, now or by an earlier request under the same key. */
export type PlacedOrder = { order: Order; isReplayed: boolean }

/** Places an order, once for each idempotency key; when it answers, the pet is pending at every door. */
export async function placeOrder(
  tools: Tools,
  project: Project,
  input: NewOrder,
  idempotencyKey: string | null,
): Promise<PlacedOrder> {
  const placed = await place(tools, project, input, idempotencyKey)
  await outdatePages(tools.limiter, project)
  return placed
}

type Outcome = {
  mine: boolean
  keptHash: string | null
  keptOrder: bigint | null
  /** The order that has the reference already. */
  taken: string | null
  isPetThere: boolean
  order: Order | null
}

async function place(
  { db, database, clock }: Tools,
  project: Project,
  input: NewOrder,
  key: string | null,
): Promise<PlacedOrder> {
  const hash = hashOf(['order', String(input.petId), input.reference, input.note])
  const inputHash = Buffer.from(hash).toString('hex')
  // A statement that began before a rival's commit cannot see it, though the pet's row or a unique key stops it; the next one can.
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptToPlace(database, clock, project, input, key, inputHash)
    if (outcome === 'rivalled') {
      if (attempt < 3) continue
      throw notAvailable(input)
    }
    const { mine, keptHash, keptOrder, taken, isPetThere, order } = outcome
    if (order) return { order, isReplayed: false }
    if (keptHash) {
      if (keptHash !== inputHash || keptOrder === null) throw mismatch('order')
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

// The pet, the order and the claim of the key change in one statement, or none of them does. The pet's row is held first, so
// that of all who want a pet one gets it, and the others see that it is gone. Past Prisma it costs the process half.
const statement = `
  WITH turn AS MATERIALIZED (
    SELECT CASE WHEN $3::text IS NULL THEN true
      ELSE pg_try_advisory_xact_lock(hashtextextended($9::text, 0)) END AS mine
  ), kept AS MATERIALIZED (
    SELECT input_hash, order_id FROM idempotent_creations
    WHERE project_id = $1::int AND key = $3::text AND expires_at > $7::timestamptz
  ), taken AS MATERIALIZED (
    SELECT id FROM "orders" WHERE project_id = $1::int AND reference = $5::text
  ), held AS MATERIALIZED (
    SELECT pets.id, pets.name, pets.category_id, pets.status FROM turn, "pets"
    WHERE turn.mine AND NOT EXISTS (SELECT FROM kept) AND NOT EXISTS (SELECT FROM taken)
      AND pets.project_id = $1::int AND pets.id = $2::bigint
      AND pets.open_order_id IS NULL AND (pets.status IS NULL OR pets.status = 'available')
    FOR NO KEY UPDATE OF pets
  ), next AS MATERIALIZED (
    SELECT held.*, nextval('orders_id_seq') AS order_id FROM held
  ), claim AS (
    INSERT INTO idempotent_creations AS old (project_id, key, input_hash, order_id, expires_at)
    SELECT $1::int, $3::text, decode($4::text, 'hex'), order_id, $8::timestamptz
    FROM next WHERE $3::text IS NOT NULL
    ON CONFLICT (project_id, key) DO UPDATE
    SET input_hash = excluded.input_hash, pet_id = NULL, order_id = excluded.order_id, imported_pets = NULL,
      last_pet_id = NULL, expires_at = excluded.expires_at
    WHERE old.expires_at <= $7::timestamptz
    RETURNING order_id
  ), moved AS (
    UPDATE "pets" SET status = 'pending', open_order_id = next.order_id FROM next
    WHERE pets.project_id = $1::int AND pets.id = next.id
      AND ($3::text IS NULL OR next.order_id IN (SELECT order_id FROM claim))
    RETURNING next.*
  ), placed AS (
    INSERT INTO "orders" (id, project_id, pet_id, pet_name, category_id, former_status, reference, note)
    SELECT order_id, $1::int, id, name, category_id, status, $5::text, $6::text FROM moved
    RETURNING id, pet_name, category_id, (extract(epoch FROM placed_at) * 1000)::bigint
  )
  SELECT turn.mine::text, encode(kept.input_hash, 'hex'), kept.order_id, taken.id,
    EXISTS (SELECT FROM "pets" WHERE project_id = $1::int AND id = $2::bigint)::text, placed.*
  FROM turn LEFT JOIN kept ON true LEFT JOIN taken ON true LEFT JOIN placed ON true`

async function attemptToPlace(
  { run }: Statements,
  clock: Clock,
  project: Project,
  { petId, reference, note }: NewOrder,
  key: string | null,
  inputHash: string,
): Promise<Outcome | 'rivalled'> {
  const at = (ms: number) => new Date(ms).toISOString()
  const [now, expiresAt] = [at(clock.now()), at(clock.now() + keptMs)]
  const turn = key === null ? null : turnOf(project, key)
  try {
    const [row] = await run({
      name: 'place_order',
      text: statement,
      values: [project.id, petId, key, inputHash, reference, note, now, expiresAt, turn],
    })
    if (!row) throw new Error('Nothing was answered to an order.')
    const [mine, keptHash = null, keptOrder, taken = null, isPetThere, id, petName, categoryId, placedAt] =
      row
    const isPlaced = id && petName != null && categoryId && placedAt
    return {
      mine: mine === 'true',
      keptHash,
      keptOrder: keptOrder ? BigInt(keptOrder) : null,
      taken,
      isPetThere: isPetThere === 'true',
      order: isPlaced
        ? {
            ...{ id: BigInt(id), petId, petName, categoryId: BigInt(categoryId) },
            ...{ status: 'placed', reference, note, placedAt: new Date(Number(placedAt)) },
            ...{ approvedAt: null, deliveredAt: null, cancelledAt: null },
          }
        : null,
    }
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
