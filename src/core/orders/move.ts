import { Prisma } from '../../generated/prisma/client.ts'
import type { Limiter } from '../../limiter/limiter.ts'
import type { Db } from '../db.ts'
import { StoreError } from '../errors.ts'
import { outdatePages } from '../pets/page-cache.ts'
import type { Project } from '../project.ts'
import { findOrder, type Order, type OrderStatus, orderColumns } from './orders.ts'

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

export const approveOrder = (tools: Tools, project: Project, id: bigint) => move(tools, project, id, approve)
/** Also marks the pet as sold. */
export const deliverOrder = (tools: Tools, project: Project, id: bigint) => move(tools, project, id, deliver)
/** Also gives the pet its former status back. */
export const cancelOrder = (tools: Tools, project: Project, id: bigint) => move(tools, project, id, cancel)

/** Moves an order and its pet in one statement. If the order is in that state already, returns it unchanged. */
async function move(
  { db, limiter }: Tools,
  project: Project,
  id: bigint,
  { from, to, at, pet }: Move,
): Promise<Order> {
  const freed = sql`, freed AS (
    UPDATE "pets" SET status = ${pet}, open_order_id = NULL FROM moved
    WHERE pets.project_id = ${project.id}::int AND pets.id = moved.pet_id AND pets.open_order_id = moved.id
  )`
  const [moved] = await db.$queryRaw<Order[]>`
    WITH moved AS (
      UPDATE "orders" SET status = ${to}::"OrderStatus", ${at} = now()
      WHERE project_id = ${project.id}::int AND id = ${id}::bigint AND status::text = ANY (${from}::text[])
      RETURNING *
    )${pet ? freed : Prisma.empty}
    SELECT ${orderColumns} FROM moved`
  const order = moved ?? (await findOrder(db, project, id))
  if (order.status !== to) {
    throw new StoreError(
      'order_state',
      `The order ${id} is ${order.status}; only what is ${from.join(' or ')} can become ${to}.`,
    )
  }
  // Even if nothing changed: the request that moved the order may have died before it invalidated the pages.
  await outdatePages(limiter, project)
  return order
}
