import { Prisma } from '../../generated/prisma/client.ts'
import type { Db } from '../db.ts'
import { invalidInput } from '../errors.ts'
import type { PageQuery } from '../pages.ts'
import type { Project } from '../project.ts'
import type { Order, OrderFilter } from './orders.ts'

type Times = Pick<OrderFilter, 'placedFrom' | 'placedBefore'>

/** A list with a range of `placedAt` is sorted by this time, so that an index finds the range; other lists by id. */
export const isTimed = ({ placedFrom, placedBefore }: Times): boolean =>
  placedFrom !== null || placedBefore !== null

/** Returns the conditions and the sort order of a page of a list with a range of `placedAt`. */
export async function timedPage(
  db: Db,
  project: Project,
  page: PageQuery,
  { placedFrom, placedBefore }: Times,
) {
  const { isBackward = false } = page
  const range = {
    ...(placedFrom !== null && { gte: placedFrom }),
    ...(placedBefore !== null && { lt: placedBefore }),
  }
  const direction: 'asc' | 'desc' = isBackward ? 'asc' : 'desc'
  const edge = await findEdge(db, project, page)
  return {
    where: { AND: [{ placedAt: range }, ...(edge === null ? [] : [beyond(edge, isBackward)])] },
    orderBy: [{ placedAt: direction }, { id: direction }],
  }
}

/** The condition on `placedAt` is repeated outside the OR, because PostgreSQL uses no index for a condition with OR. */
function beyond(
  { id, placedAt }: { id: bigint; placedAt: Date },
  isBackward: boolean,
): Prisma.OrderWhereInput {
  return isBackward
    ? { placedAt: { gte: placedAt }, OR: [{ placedAt: { gt: placedAt } }, { id: { gt: id } }] }
    : { placedAt: { lte: placedAt }, OR: [{ placedAt: { lt: placedAt } }, { id: { lt: id } }] }
}

/**
 * Finds the order after which the page begins, because the cursor holds only the order's id. Returns null for the first
 * page.
 */
export async function findEdge(
  db: Db,
  project: Project,
  { after, cursorName = 'cursor' }: PageQuery,
): Promise<{ id: bigint; placedAt: Date } | null> {
  if (after === null) return null
  const select = { id: true, placedAt: true }
  const edge = await db.order.findFirst({ where: { projectId: project.id, id: after }, select })
  if (edge) return edge
  throw invalidInput([{ field: cursorName, message: 'must be a cursor of a page of this list' }])
}

/**
 * The SQL for the sequence of a list: the condition for the rows beyond `after`, the ORDER BY, and the id of the last
 * row of a page.
 */
export function sequenceInSql(
  project: Project,
  after: bigint | null,
  isBackward: boolean,
  isByTime: boolean,
) {
  const beyond = isBackward ? Prisma.sql`>` : Prisma.sql`<`
  if (!isByTime)
    return {
      rest: after === null ? Prisma.empty : Prisma.sql`AND id ${beyond} ${after}::bigint`,
      order: isBackward ? Prisma.sql`id` : Prisma.sql`id DESC`,
      last: isBackward ? Prisma.sql`max(id)` : Prisma.sql`min(id)`,
    }
  const placed = Prisma.sql`(SELECT placed_at FROM "orders" WHERE project_id = ${project.id}::int AND id = ${after}::bigint)`
  return {
    rest:
      after === null ? Prisma.empty : Prisma.sql`AND (placed_at, id) ${beyond} (${placed}, ${after}::bigint)`,
    order: isBackward ? Prisma.sql`placed_at, id` : Prisma.sql`placed_at DESC, id DESC`,
    last: isBackward
      ? Prisma.sql`(array_agg(id ORDER BY placed_at DESC, id DESC))[1]`
      : Prisma.sql`(array_agg(id ORDER BY placed_at, id))[1]`,
  }
}

/** Compares two orders by `placedAt` and id if `isByTime`, or else by id. The older order comes first. */
export function compareOrders(one: Order, other: Order, isByTime: boolean): number {
  const apart = isByTime ? one.placedAt.getTime() - other.placedAt.getTime() : 0
  return apart || (one.id < other.id ? -1 : 1)
}
