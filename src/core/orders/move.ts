import { Prisma } from '../../generated/prisma/client.ts'
import type { Limiter } from '../../limiter/limiter.ts'
import { type Condition, isConditional, requireFulfilled, unconditional } from '../conditions.ts'
import type { Db } from '../db.ts'
import { StoreError } from '../errors.ts'
import { thenInvalidatePages } from '../pets/invalidate-pages.ts'
import type { Project } from '../project.ts'
import { findOrder, type Order, type OrderStatus, orderColumns, tagOfOrder } from './orders.ts'

type Tools = { db: Db; limiter: Pick<Limiter, 'renewVersion'> }
type Move = {
  from: readonly OrderStatus[]
  to: OrderStatus
  at: Prisma.Sql
  /** The pet's new status; null keeps it. */
  pet: Prisma.Sql | null
}

const { sql } = Prisma
const approve: Move = { from: ['placed'], to: 'approved', at: sql`approved_at`, pet: null }
const deliver: Move = {
  from: ['approved'],
  to: 'delivered',
  at: sql`delivered_at`,
  pet: sql`'sold'::"PetStatus"`,
}
const cancel: Move = {
  from: ['placed', 'approved'],
  to: 'cancelled',
  at: sql`cancelled_at`,
  pet: sql`moved.former_status`,
}

type MoveOrder = (tools: Tools, project: Project, id: bigint, condition?: Condition) => Promise<Order>

export const approveOrder: MoveOrder = (...given) => move(approve, ...given)
/** Delivers the order and marks its pet as sold. */
export const deliverOrder: MoveOrder = (...given) => move(deliver, ...given)
/** Cancels the order and gives its pet the former status back. */
export const cancelOrder: MoveOrder = (...given) => move(cancel, ...given)

/**
 * Moves an order and its pet in one statement, at the database's time. Prisma would use this process' time, and would
 * need a transaction for the pet, which costs 2.2 times the CPU. If the order already has the wanted state, returns it
 * unchanged, even if the condition fails, because a client may repeat a request whose answer was lost (RFC 9110,
 * 13.1.1).
 */
function move(
  { from, to, at, pet }: Move,
  { db, limiter }: Tools,
  project: Project,
  id: bigint,
  condition: Condition = unconditional,
): Promise<Order> {
  return thenInvalidatePages(limiter, project, async () => {
    const known = isConditional(condition) ? await findOrder(db, project, id) : null
    if (known?.status === to) return known
    if (known) requireFulfilled(condition, tagOfOrder(known), `The order ${id}`, () => orderAltered(id))
    const freed = sql`, freed AS (
      UPDATE "pets" SET status = ${pet}, open_order_id = NULL FROM moved
      WHERE pets.project_id = ${project.id}::int AND pets.id = moved.pet_id AND pets.open_order_id = moved.id
    )`
    const allowed = known ? from.filter(status => status === known.status) : from
    const [moved] = await db.$queryRaw<Order[]>`
      WITH moved AS (
        UPDATE "orders" SET status = ${to}::"OrderStatus", ${at} = now()
        WHERE project_id = ${project.id}::int AND id = ${id}::bigint AND status::text = ANY (${allowed}::text[])
        RETURNING *
      )${pet ? freed : Prisma.empty}
      SELECT ${orderColumns} FROM moved`
    const order = moved ?? (await findOrder(db, project, id))
    if (order.status === to) return order
    if (known && known.status !== order.status) throw orderAltered(id)
    throw new StoreError(
      'order_state',
      `The order ${id} is ${order.status}; only an order that is ${from.join(' or ')} can become ${to}.`,
    )
  })
}

const orderAltered = (id: bigint) =>
  new StoreError('precondition_failed', `The order ${id} has changed; read it again, then move it.`)
