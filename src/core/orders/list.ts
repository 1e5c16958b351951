import { Prisma } from '../../generated/prisma/client.ts'
import type { Db } from '../db.ts'
import { type Page, type PageQuery, toPage } from '../pages.ts'
import { containsPart, lastPlaceOf } from '../pets/name-parts.ts'
import type { Project } from '../project.ts'
import { mostReadAtOnce, type SearchPart, searchPage } from '../searches.ts'
import { foldForSearch } from '../text.ts'
import { type Order, type OrderFilter, orderColumns, shown } from './orders.ts'
import { compareOrders, findEdge, isTimed, sequenceInSql, timedPage } from './sequence.ts'

type Search = OrderFilter & { search: string }

/** Lists a page of the project's orders, newest first. */
export async function listOrders(
  db: Db,
  project: Project,
  page: PageQuery,
  filter: OrderFilter,
): Promise<Page<Order>> {
  const { status, petId, reference, search } = filter
  if (search !== null) return searchOrders(db, project, page, { ...filter, search })
  const place = isTimed(filter) ? await timedPage(db, project, page, filter) : pageById(page)
  const found = await db.order.findMany({
    where: {
      projectId: project.id,
      ...(status !== null && { status }),
      ...(petId !== null && { petId }),
      ...(reference !== null && { reference }),
      ...place.where,
    },
    orderBy: place.orderBy,
    take: page.limit + 1,
    select: shown,
  })
  return toPage('orders', project, page, found)
}

const pageById = ({ after, isBackward = false }: PageQuery) => ({
  where: after === null ? {} : { id: isBackward ? { gt: after } : { lt: after } },
  orderBy: { id: isBackward ? ('asc' as const) : ('desc' as const) },
})

/**
 * Lists orders by a part of their reference or of their pet's name, newest first. Reads one order after the other,
 * without an index of parts, because each move of an order would have to write to that index.
 */
async function searchOrders(db: Db, project: Project, page: PageQuery, filter: Search): Promise<Page<Order>> {
  const { isBackward = false } = page
  if (isTimed(filter)) await findEdge(db, project, page)
  return searchPage('orders', project, page, part => readOrders(db, project, part, { ...filter, isBackward }))
}

async function readOrders(
  db: Db,
  project: Project,
  { after, limit }: PageQuery,
  { isBackward, ...filter }: Search & { isBackward: boolean },
): Promise<SearchPart<Order>> {
  const { status, petId, reference, placedFrom, placedBefore } = filter
  const isByTime = isTimed(filter)
  const sequence = sequenceInSql(project, after, isBackward, isByTime)
  const fits = (column: string) =>
    Prisma.raw(containsPart(column, '(SELECT part FROM requested)', '(SELECT last_place FROM requested)'))
  const filters = [
    ...(status === null ? [] : [Prisma.sql`AND status = ${status}::"OrderStatus"`]),
    ...(petId === null ? [] : [Prisma.sql`AND pet_id = ${petId}::bigint`]),
    ...(reference === null ? [] : [Prisma.sql`AND reference = ${reference}`]),
    ...(placedFrom === null ? [] : [Prisma.sql`AND placed_at >= ${placedFrom}::timestamptz`]),
    ...(placedBefore === null ? [] : [Prisma.sql`AND placed_at < ${placedBefore}::timestamptz`]),
    sequence.rest,
  ]
  const rows = await db.$queryRaw<(Order & { id: bigint | null; readTo: bigint | null; bytes: number })[]>`
    WITH requested AS MATERIALIZED (
      SELECT ${Prisma.raw(foldForSearch('part'))} AS part, last_place
      FROM (VALUES (${filter.search}::text, ${lastPlaceOf(filter.search)}::int)) AS given (part, last_place)
    ), near AS MATERIALIZED (
      SELECT * FROM "orders"
      WHERE project_id = ${project.id}::int ${Prisma.join(filters, ' ')}
      ORDER BY ${sequence.order} LIMIT ${mostReadAtOnce}::int
    )
    SELECT found.*, examined.* FROM (
      SELECT CASE WHEN count(*) = ${mostReadAtOnce}::int THEN ${sequence.last} END AS "readTo",
        sum(octet_length(pet_name) + coalesce(octet_length(reference), 0))::int AS bytes
      FROM near
    ) AS examined
    LEFT JOIN (
      SELECT ${orderColumns} FROM near WHERE ${fits('reference')} OR ${fits('pet_name')}
      ORDER BY ${sequence.order} LIMIT ${limit + 1}::int
    ) AS found ON true`
  const found = rows
    .filter(({ id }) => id !== null)
    .map(({ readTo, bytes, ...order }) => order)
    .toSorted((one, other) => compareOrders(one, other, isByTime) * (isBackward ? 1 : -1))
  return { found, readTo: rows[0]?.readTo ?? null, bytes: rows[0]?.bytes ?? 0 }
}
