import type { Condition } from '../../core/conditions.ts'
import { makeCursor } from '../../core/cursor.ts'
import { StoreError } from '../../core/errors.ts'
import { givenIn } from '../../core/given.ts'
import { scopeFor } from '../../core/keys/caller.ts'
import { listOrders } from '../../core/orders/list.ts'
import { approveOrder, cancelOrder, deliverOrder } from '../../core/orders/move.ts'
import { findOrder, type Order as StoreOrder, tagOfOrder } from '../../core/orders/orders.ts'
import { placeOrder } from '../../core/orders/place.ts'
import { parseNewOrder, parseOrdersRequest, readOrderId } from '../../core/orders/rules.ts'
import { type Page, type PageQuery, parsePage } from '../../core/pages.ts'
import { parseIfMatch } from '../../core/pets/change.ts'
import type { Project } from '../../core/project.ts'
import { addHeader } from '../../http/headers.ts'
import { type Connection, connectionOf, neighboursOf, readPage } from '../connection.ts'
import { type Context, storeCaller } from '../context.ts'
import type {
  MutationResolvers,
  OrderResolvers,
  PetOrdersArgs,
  PetResolvers,
  QueryOrdersArgs,
  QueryResolvers,
} from '../generated/resolvers.ts'
import { onlyIdempotencyKey } from '../idempotency-key.ts'
import { makeId, readId } from '../ids.ts'
import { withinInput } from '../input.ts'
import { admitReader, loadersOf, noteOwner, storeOf } from '../store-readers.ts'

export const orderQueries = {
  orders: (_parent, args, context) =>
    pageOfOrders(context, storeCaller(context, scopeFor.listOrders).project, args),

  order(_parent, { id }, context) {
    const { project } = storeCaller(context, scopeFor.getOrder)
    return findOrder(context.tools.db, project, ownId(id))
  },
} satisfies QueryResolvers

/** Returns a page of a project's orders, for `Query.orders` and `Project.orders`. */
export async function pageOfOrders(
  context: Context,
  project: Project,
  { status, petId, reference, search, placedFrom, placedBefore, ...args }: Partial<QueryOrdersArgs>,
): Promise<Connection<StoreOrder>> {
  admitReader(context, project, scopeFor.listOrders, 'orders')
  const pageArgs = readPage(args, 20)
  const { page: parsed, filter } = parseOrdersRequest(project, pageArgs.names, {
    ...pageArgs,
    status: status ?? null,
    petId: petId ?? null,
    reference: reference ?? null,
    search: search ?? null,
    placedFrom: placedFrom ?? null,
    placedBefore: placedBefore ?? null,
  })
  const page = { ...parsed, isBackward: pageArgs.isBackward }
  const found = await listOrders(context.tools.db, project, page, filter)
  noteOwner(context, project, found.items)
  // A search may read more orders than its page shows, so the next page continues after the last order read.
  return showPage(project, page, found, filter.search === null ? null : found.nextCursor)
}

/** Returns one of a project's orders, for `Project.order`. */
export async function orderOf(context: Context, project: Project, id: string): Promise<StoreOrder> {
  admitReader(context, project, scopeFor.getOrder, `order ${id}`)
  const order = await findOrder(context.tools.db, project, ownId(id))
  noteOwner(context, project, [order])
  return order
}

export const orderMutations = {
  async orderPlace(_parent, { input: { idempotencyKey, ...input } }, context) {
    const { project } = storeCaller(context, scopeFor.placeOrder)
    const order = await withinInput(() => parseNewOrder(givenIn(input)))
    const once = onlyIdempotencyKey(context.operation.idempotencyKey, idempotencyKey)
    const placed = await placeOrder(context.tools, project, order, once)
    if (placed.isReplayed && context.operation.idempotencyKey)
      addHeader(context.response, 'Idempotent-Replayed', 'true')
    return { order: placed.order }
  },

  async orderApprove(_parent, { input }, context) {
    const { project } = storeCaller(context, scopeFor.approveOrder)
    return { order: await approveOrder(context.tools, project, ...conditionalId(input)) }
  },

  async orderDeliver(_parent, { input }, context) {
    const { project } = storeCaller(context, scopeFor.deliverOrder)
    return { order: await deliverOrder(context.tools, project, ...conditionalId(input)) }
  },

  async orderCancel(_parent, { input }, context) {
    const { project } = storeCaller(context, scopeFor.cancelOrder)
    return { order: await cancelOrder(context.tools, project, ...conditionalId(input)) }
  },
} satisfies MutationResolvers

export const Order = {
  id: order => makeId('order', String(order.id)),
  petId: order => String(order.petId),
  categoryId: order => String(order.categoryId),
  etag: order => tagOfOrder(order),
  async pet(order, _args, context) {
    storeOf(context, order, scopeFor.listPets)
    const pet = await loadersOf(context, order).pet.load(order.petId)
    return pet && inStoreOf(context, order, pet)
  },
} satisfies OrderResolvers

/** Records that `found` is in the same store as `item`, and returns `found`. */
export function inStoreOf<Found extends object>(context: Context, item: object, found: Found): Found {
  const owner = context.owners.get(item)
  if (owner) context.owners.set(found, owner)
  return found
}

/** A pet's orders. One statement reads those of all pets on a page. */
export const petOrders = {
  async orders(pet, args, context) {
    const project = storeOf(context, pet, scopeFor.listOrders)
    const page = readOrdersQuery(args, project)
    const found = await loadersOf(context, pet).ordersOfPet.load({ petId: pet.id, page })
    noteOwner(context, project, found.items)
    return showPage(project, page, found)
  },
} satisfies PetResolvers

/**
 * Checks the arguments and the scope of `Pet.orders` before the operation runs. For an operator it checks only the
 * page, because the project is not known yet.
 */
export function checkPetOrders(args: Partial<PetOrdersArgs>, context: Context): void {
  if (context.identity.kind === 'operator') readPage(args, 10)
  else readOrdersQuery(args, storeCaller(context, scopeFor.listOrders).project)
}

export function checkPetScope(context: Context): void {
  if (context.identity.kind !== 'operator') storeCaller(context, scopeFor.listPets)
}

function readOrdersQuery(args: Partial<PetOrdersArgs>, project: Project) {
  const pageArgs = readPage(args, 10)
  const page = parsePage('orders', project, pageArgs.names, pageArgs)
  return { ...page, isBackward: pageArgs.isBackward }
}

function showPage(
  project: Project,
  page: PageQuery & { isBackward: boolean },
  { items, hasMore }: Page<StoreOrder>,
  end: string | null = null,
): Connection<StoreOrder> {
  const ends = page.isBackward ? { startCursor: end } : { endCursor: end }
  return connectionOf(items, neighboursOf(page, hasMore), ({ id }) => makeCursor(project, id, 'orders'), ends)
}

type ConditionalId = { id: string; ifMatch?: string | null }

const conditionalId = ({ id, ifMatch }: ConditionalId): [bigint, Condition] => [
  ownId(id),
  parseIfMatch('input.ifMatch', ifMatch ?? null),
]

/** Converts an order's GraphQL id to its number. */
export function ownId(id: string): bigint {
  const own = readId('order', id)
  if (own !== null) return readOrderId(own)
  throw new StoreError('order_not_found', 'There is no such order: its id has the form order_12.')
}
