import { hash } from 'node:crypto'
import { type Order as OrderRow, Prisma } from '../../generated/prisma/client.ts'
import { OrderStatus as OrderStatuses } from '../../generated/prisma/enums.ts'
import type { Db } from '../db.ts'
import { StoreError } from '../errors.ts'
import { leastInt64, mostInt64 } from '../int64.ts'
import { type Page, type PageQuery, toPage } from '../pages.ts'
import type { Project } from '../project.ts'

/** Columns that the API does not show. */
type Inner = 'projectId' | 'formerStatus'
/**
 * An order as the API shows it. The order keeps the name and the category that the pet had when the order was placed.
 */
export type Order = Omit<OrderRow, Inner>
export type OrderStatus = Order['status']
export const orderStatuses: readonly OrderStatus[] = Object.values(OrderStatuses)

export type OrderFilter = {
  status: OrderStatus | null
  petId: bigint | null
  reference: string | null
  /** A part of the reference or of the pet's name, case-insensitive. */
  search: string | null
  /** The range of `placedAt`, from `placedFrom` on and before `placedBefore`. */
  placedFrom: Date | null
  placedBefore: Date | null
}

export const shown = {
  id: true,
  petId: true,
  petName: true,
  categoryId: true,
  status: true,
  reference: true,
  note: true,
  placedAt: true,
  approvedAt: true,
  deliveredAt: true,
  cancelledAt: true,
} as const satisfies Record<keyof Order, true>

/** The version tag of an order. An order never returns to an earlier status, so its contents identify the version. */
export function tagOfOrder(order: Order): string {
  const texts = Object.keys(shown).map(field => order[field as keyof Order])
  const json = JSON.stringify(texts, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
  return hash('sha256', json, 'base64url').slice(0, 22)
}

/** The columns of an order for raw SQL. */
export const orderColumns = Prisma.sql`id, pet_id AS "petId", pet_name AS "petName", category_id AS "categoryId",
  status::text AS status, reference, note, placed_at AS "placedAt", approved_at AS "approvedAt",
  delivered_at AS "deliveredAt", cancelled_at AS "cancelledAt"`

export async function findOrder(db: Db, project: Project, id: bigint): Promise<Order> {
  const order = await db.order.findFirst({ where: { projectId: project.id, id }, select: shown })
  if (!order) throw new StoreError('order_not_found', `There is no order ${id}.`)
  return order
}

export type PetOrdersQuery = { petId: bigint; page: PageQuery }

/** For each pet, reads a page of its orders, newest first. One statement reads all pages of one direction. */
export async function listOrdersOfPets(
  db: Db,
  project: Project,
  queries: readonly PetOrdersQuery[],
): Promise<Page<Order>[]> {
  const found = new Map<PetOrdersQuery, Page<Order>>()
  for (const isBackward of [false, true]) {
    const same = queries.filter(({ page }) => Boolean(page.isBackward) === isBackward)
    if (same.length === 0) continue
    const pages = await listInDirection(db, project, same, isBackward)
    for (const [n, page] of pages.entries()) found.set(same[n] as PetOrdersQuery, page)
  }
  return queries.map(each => found.get(each) as Page<Order>)
}

/**
 * Pages of one pet that begin at the same place are read once, with the largest of their limits. SQL, because Prisma
 * cannot limit the rows of each pet.
 */
async function listInDirection(
  db: Db,
  project: Project,
  queries: readonly PetOrdersQuery[],
  isBackward: boolean,
): Promise<Page<Order>[]> {
  const start = isBackward ? leastInt64 : mostInt64
  const [rest, order] = isBackward
    ? [Prisma.sql`id > requested.after`, Prisma.sql`project_id, pet_id, id`]
    : [Prisma.sql`id < requested.after`, Prisma.sql`project_id DESC, pet_id DESC, id DESC`]
  const placeOf = ({ petId, page }: PetOrdersQuery) => `${petId} ${page.after}`
  const places = new Map<string, PetOrdersQuery & { most: number; found: Order[] }>()
  for (const each of queries) {
    const place = places.get(placeOf(each)) ?? { ...each, most: 0, found: [] }
    place.most = Math.max(place.most, each.page.limit + 1)
    places.set(placeOf(each), place)
  }
  const read = [...places.values()]
  const rows = await db.$queryRaw<(Order & { n: bigint })[]>`
    SELECT requested.n, found.*
    FROM unnest(
      ${read.map(({ petId }) => petId)}::bigint[],
      ${read.map(({ page }) => page.after ?? start)}::bigint[],
      ${read.map(({ most }) => most)}::int[]
    ) WITH ORDINALITY AS requested (pet_id, after, most, n)
    CROSS JOIN LATERAL (
      SELECT ${orderColumns} FROM "orders"
      WHERE project_id = ${project.id}::int AND pet_id = requested.pet_id AND ${rest}
      ORDER BY ${order} LIMIT requested.most
    ) AS found`
  for (const { n, ...order } of rows) read[Number(n) - 1]?.found.push(order)
  return queries.map(each => toPage('orders', project, each.page, places.get(placeOf(each))?.found ?? []))
}
