import { batch } from '../../database/batch.ts'
import { isUniqueViolation } from '../../database/faults.ts'
import type { Columns, Statements } from '../../database/statements.ts'
import type { Clock } from '../../tools/clock.ts'
import { hashOf, retentionMs } from '../pets/idempotency.ts'
import type { Project } from '../project.ts'
import type { Order } from './orders.ts'
import type { NewOrder } from './rules.ts'

export type RequestedPlacement = { project: Project; input: NewOrder; key: string | null }

/**
 * The result of the statement. If the statement placed no order, `order` is null, and the other fields say why: they
 * show the key, the reference and the pet as the statement found them.
 */
export type PlacementOutcome = {
  order: Order | null
  /** True if this statement held the key's lock. */
  mine: boolean
  /** Hash, in hexadecimal, of the input for which the key was first used. */
  storedHash: string | null
  storedOrder: bigint | null
  /** Id of another order that has the same reference. */
  taken: string | null
  pet: 'free' | 'not free' | 'missing'
}

/**
 * Places orders. The result is 'rivalled' if a concurrent transaction took the pet or the key. The caller must retry a
 * rivalled order with `alone`, which waits for the concurrent transaction.
 */
export type Placements = {
  /** Batches concurrent requests into one statement. */
  together(requested: RequestedPlacement): Promise<PlacementOutcome | 'rivalled'>
  alone(requested: RequestedPlacement): Promise<PlacementOutcome | 'rivalled'>
}

export function openPlacements({ run }: Statements, clock: Clock): Placements {
  return {
    together: batch(placeFirsts),
    async alone(requested) {
      await untilLetGo(requested)
      const [outcome] = await place(alone, [requested])
      return outcome ?? 'rivalled'
    },
  }

  /**
   * A statement places only one order for each pet, reference and key. Other orders of the batch with the same pet,
   * reference or key are retried.
   */
  async function placeFirsts(all: readonly RequestedPlacement[]): Promise<(PlacementOutcome | 'rivalled')[]> {
    const firsts = findFirsts(all)
    const outcomes = await place(together, firsts)
    return all.map(requested => outcomes[firsts.indexOf(requested)] ?? 'rivalled')
  }

  async function place(
    statement: typeof alone,
    requested: readonly RequestedPlacement[],
  ): Promise<(PlacementOutcome | 'rivalled')[]> {
    const at = (ms: number) => new Date(ms).toISOString()
    try {
      const rows = await run({
        ...statement,
        values: [
          requested.map(({ project }) => project.id),
          requested.map(({ input }) => input.petId),
          requested.map(({ key }) => key),
          requested.map(({ input }) => hashOfOrder(input)),
          requested.map(({ input }) => input.reference),
          requested.map(({ input }) => input.note),
          at(clock.now()),
          at(clock.now() + retentionMs),
        ],
      })
      const outcomes = new Map(rows.map(([n, ...row]) => [Number(n), row]))
      return requested.map(({ input }, index) => readOutcome(input, outcomes.get(index + 1) ?? []))
    } catch (error) {
      if (isUniqueViolation(error)) return requested.map(() => 'rivalled')
      throw error
    }
  }

  /**
   * Waits until the key's lock is free. PostgreSQL reports an error before it releases the advisory lock, so an
   * immediate retry would find the lock taken.
   */
  async function untilLetGo({ project, key }: RequestedPlacement): Promise<void> {
    if (key !== null) await run({ ...waiting, values: [project.id, key] })
  }
}

function findFirsts(all: readonly RequestedPlacement[]): RequestedPlacement[] {
  const wanted = new Set<string>()
  return all.filter(({ project, input: { petId, reference }, key }) => {
    const wants = [`pet ${petId}`, ...(reference === null ? [] : [`reference ${reference}`])]
    if (key !== null) wants.push(`key ${key}`)
    const own = wants.map(each => `${project.id} ${each}`)
    if (own.some(each => wanted.has(each))) return false
    for (const each of own) wanted.add(each)
    return true
  })
}

export const hashOfOrder = ({ petId, reference, note }: NewOrder) =>
  Buffer.from(hashOf(['order', String(petId), reference, note])).toString('hex')

/** The number of the key's advisory lock. Pets and imports use the same formula. */
const lockOf = (projectId: string, key: string) => `hashtextextended(${projectId} || ':' || ${key}, 0)`

// Changes pets, orders and claims of keys in one statement, all or nothing. A Prisma transaction with two updates and a
// create costs 3.4 times the CPU, and 10 times for 8 requests at once. The statement first locks the pet's row, so that
// only one of several orders gets the pet and the other orders see that the pet is taken. The statement inserts orders
// sorted by reference, so that two statements cannot deadlock. The statement looks up a reference with BETWEEN and
// ORDER BY, because only the index of references can serve this lookup. If PostgreSQL planned a lookup with `=` while
// the table is empty, PostgreSQL could choose any index that begins with the project.
const statement = (hold: string) => `
  WITH requested AS MATERIALIZED (
    SELECT each.*, stored.input_hash AS stored_hash, stored.order_id AS stored_order, taken.id AS taken, pet.is_free,
      each.key IS NULL
        OR pg_try_advisory_xact_lock(${lockOf('each.project_id', 'each.key')}) AS mine
    FROM unnest($1::int[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[])
      WITH ORDINALITY AS each (project_id, pet_id, key, input_hash, reference, note, n)
    LEFT JOIN LATERAL (
      SELECT input_hash, order_id, expires_at FROM idempotent_creations
      WHERE project_id = each.project_id AND key = each.key LIMIT 1
    ) AS stored ON stored.expires_at > $7::timestamptz
    LEFT JOIN LATERAL (
      SELECT id FROM "orders"
      WHERE project_id = each.project_id AND reference BETWEEN each.reference AND each.reference
      ORDER BY reference LIMIT 1
    ) AS taken ON true
    LEFT JOIN LATERAL (
      SELECT open_order_id IS NULL AND (status IS NULL OR status = 'available') AS is_free FROM "pets"
      WHERE project_id = each.project_id AND id = each.pet_id LIMIT 1
    ) AS pet ON true
  ), held AS MATERIALIZED (
    SELECT requested.*, pet.*, nextval('orders_id_seq') AS order_id FROM requested CROSS JOIN LATERAL (
      SELECT name, category_id, status FROM "pets"
      WHERE project_id = requested.project_id AND id = requested.pet_id
        AND open_order_id IS NULL AND (status IS NULL OR status = 'available')
      ${hold}
    ) AS pet
    WHERE requested.mine AND requested.stored_hash IS NULL AND requested.taken IS NULL
  ), claimed AS (
    INSERT INTO idempotent_creations AS old (project_id, key, input_hash, order_id, expires_at)
    SELECT project_id, key, decode(input_hash, 'hex'), order_id, $8::timestamptz FROM held WHERE key IS NOT NULL
    ON CONFLICT (project_id, key) DO UPDATE
    SET input_hash = excluded.input_hash, pet_id = NULL, order_id = excluded.order_id, imported_pets = NULL,
      last_pet_id = NULL, expires_at = excluded.expires_at
    WHERE old.expires_at <= $7::timestamptz
    RETURNING order_id
  ), moved AS (
    UPDATE "pets" SET status = 'pending', open_order_id = held.order_id FROM held
    WHERE pets.project_id = held.project_id AND pets.id = held.pet_id
      AND (held.key IS NULL OR held.order_id IN (SELECT order_id FROM claimed))
    RETURNING held.*
  ), placed AS (
    INSERT INTO "orders" (id, project_id, pet_id, pet_name, category_id, former_status, reference, note)
    SELECT order_id, project_id, pet_id, name, category_id, status, reference, note FROM moved
    ORDER BY project_id, reference
    RETURNING project_id, pet_id, id, pet_name, category_id, (extract(epoch FROM placed_at) * 1000)::bigint AS ms
  )
  SELECT requested.n, requested.mine::text, encode(requested.stored_hash, 'hex'), requested.stored_order, requested.taken, requested.is_free::text,
    placed.id, placed.pet_name, placed.category_id, placed.ms
  FROM requested LEFT JOIN placed ON placed.project_id = requested.project_id AND placed.pet_id = requested.pet_id`

/** SKIP LOCKED: a pet or key that another transaction has locked must not delay the rest of the batch. */
const together = { name: 'place_orders', text: statement('FOR NO KEY UPDATE SKIP LOCKED') }
const alone = { name: 'place_order', text: statement('FOR NO KEY UPDATE') }

const waiting = {
  name: 'wait_for_key',
  text: `SELECT pg_advisory_xact_lock(${lockOf('$1::int', '$2::text')})`,
}

function readOutcome({ petId, reference, note }: NewOrder, row: Columns): PlacementOutcome {
  const [mine, storedHash = null, storedOrder, taken = null, isFree, id, petName, categoryId, placedAt] = row
  const isPlaced = id && petName != null && categoryId && placedAt
  return {
    order: isPlaced
      ? {
          ...{ id: BigInt(id), petId, petName, categoryId: BigInt(categoryId) },
          ...{ status: 'placed', reference, note, placedAt: new Date(Number(placedAt)) },
          ...{ approvedAt: null, deliveredAt: null, cancelledAt: null },
        }
      : null,
    mine: mine === 'true',
    storedHash,
    storedOrder: storedOrder ? BigInt(storedOrder) : null,
    taken,
    pet: isFree === 'true' ? 'free' : isFree === 'false' ? 'not free' : 'missing',
  }
}
