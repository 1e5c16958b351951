import type { Limiter } from '../../limiter/limiter.ts'
import type { Db } from '../db.ts'
import { StoreError } from '../errors.ts'
import { inFlight, mismatch } from '../pets/idempotency.ts'
import { invalidatePages } from '../pets/invalidate-pages.ts'
import type { Project } from '../project.ts'
import { findOrder, type Order } from './orders.ts'
import { hashOfOrder, type Placements } from './placement-batch.ts'
import type { NewOrder } from './rules.ts'

type Tools = { placements: Placements; db: Db; limiter: Pick<Limiter, 'renewVersion'> }

/** The order, and whether an earlier request with the same idempotency key placed it. */
export type PlacedOrder = { order: Order; isReplayed: boolean }

/** Places an order, once for each idempotency key. When it returns, all processes show the pet as pending. */
export async function placeOrder(
  tools: Tools,
  project: Project,
  input: NewOrder,
  idempotencyKey: string | null,
): Promise<PlacedOrder> {
  const placed = await place(tools, project, input, idempotencyKey)
  await invalidatePages(tools.limiter, project)
  return placed
}

async function place(
  { placements, db }: Tools,
  project: Project,
  input: NewOrder,
  key: string | null,
): Promise<PlacedOrder> {
  // The statement does not see a change that was committed after the statement began. In this case the lock of the
  // pet's row or a unique key stops the order, and the loop runs a new statement, which sees the change.
  for (let attempt = 1; ; attempt++) {
    const ask = attempt === 1 ? placements.together : placements.alone
    const outcome = await ask({ project, input, key })
    if (outcome === 'rivalled') {
      if (attempt < 3) continue
      throw notAvailable(input)
    }
    const { order, mine, storedHash, storedOrder, taken, pet } = outcome
    if (order) return { order, isReplayed: false }
    if (storedHash !== null) {
      if (storedHash !== hashOfOrder(input) || storedOrder === null) throw mismatch('order')
      return { order: asPlaced(await findOrder(db, project, storedOrder)), isReplayed: true }
    }
    if (!mine) throw inFlight()
    const mayBeRivalled = pet === 'free' && taken === null
    if (attempt === 1 && mayBeRivalled) continue
    if (taken !== null)
      throw new StoreError('order_exists', `The order ${taken} has the reference ${input.reference} already.`)
    if (pet === 'missing') throw new StoreError('pet_not_found', `There is no pet ${input.petId}.`)
    throw notAvailable(input)
  }
}

/** Returns the order as the first answer showed it, even if the order has moved since. */
function asPlaced(order: Order): Order {
  return { ...order, status: 'placed', approvedAt: null, deliveredAt: null, cancelledAt: null }
}

const notAvailable = ({ petId }: NewOrder) =>
  new StoreError(
    'pet_not_available',
    `Pet ${petId} cannot be ordered: it is pending or sold, or another order came first.`,
  )
