import { Prisma } from '../../generated/prisma/client.ts'
import type { Db } from '../db.ts'
import { type Page, type PageQuery, parsePage, toPage } from '../pages.ts'
import type { Project } from '../project.ts'
import { mostReadAtOnce, type SearchPart, searchPage } from '../searches.ts'
import { foldForSearch } from '../text.ts'
import { type Category, shown } from './categories.ts'
import { containsPart, lastPlaceOf } from './name-parts.ts'
import { isPart, partRule } from './rules.ts'

/** Validates the parameters of a list of categories. `name` is a part of the name; null lists all. */
export function parseCategoriesRequest(
  project: Project,
  names: { limit: string; after: string },
  input: { limit: number | null; after: string | null; name: string | null },
): { page: PageQuery; name: string | null } {
  const { name } = input
  const faults = name === null || isPart(name) ? [] : [{ field: 'name', message: partRule }]
  return { page: parsePage('categories', project, names, input, faults), name }
}

/** Lists a page of the project's named categories, by ascending number. */
export async function listCategories(
  db: Db,
  project: Project,
  page: PageQuery,
  name: string | null,
): Promise<Page<Category>> {
  if (name !== null)
    return searchPage('categories', project, page, part => readCategories(db, project, part, name))
  const found = await db.category.findMany({
    where: {
      projectId: project.id,
      ...(page.after !== null && { id: page.isBackward ? { lt: page.after } : { gt: page.after } }),
    },
    orderBy: { id: page.isBackward ? 'desc' : 'asc' },
    take: page.limit + 1,
    select: shown,
  })
  return toPage('categories', project, page, found)
}

/**
 * Reads the next categories with this part in their name. Uses SQL instead of Prisma, because a search by Prisma would
 * compare upper and lower case by the locale of the database.
 */
async function readCategories(
  db: Db,
  project: Project,
  page: PageQuery,
  name: string,
): Promise<SearchPart<Category>> {
  const { after, limit, isBackward = false } = page
  const [beyond, order, last] = isBackward
    ? [Prisma.sql`<`, Prisma.sql`id DESC`, Prisma.sql`min(id)`]
    : [Prisma.sql`>`, Prisma.sql`id`, Prisma.sql`max(id)`]
  const rest = after === null ? Prisma.empty : Prisma.sql`AND id ${beyond} ${after}::bigint`
  const rows = await db.$queryRaw<(Category & { id: bigint | null; readTo: bigint | null; bytes: number })[]>`
    WITH requested AS MATERIALIZED (
      SELECT ${Prisma.raw(foldForSearch('part'))} AS part, last_place
      FROM (VALUES (${name}::text, ${lastPlaceOf(name)}::int)) AS given (part, last_place)
    ), near AS MATERIALIZED (
      SELECT id, name, version FROM "categories" WHERE project_id = ${project.id}::int ${rest}
      ORDER BY ${order} LIMIT ${mostReadAtOnce}::int
    )
    SELECT found.*, examined.* FROM (
      SELECT CASE WHEN count(*) = ${mostReadAtOnce}::int THEN ${last} END AS "readTo", sum(octet_length(name))::int AS bytes
      FROM near
    ) AS examined
    LEFT JOIN (
      SELECT id, name, version FROM near
      WHERE ${Prisma.raw(containsPart('name', '(SELECT part FROM requested)', '(SELECT last_place FROM requested)'))}
      ORDER BY ${order} LIMIT ${limit + 1}::int
    ) AS found ON true
    ORDER BY ${order}`
  const found = rows.filter(({ id }) => id !== null).map(({ readTo, bytes, ...category }) => category)
  return { found, readTo: rows[0]?.readTo ?? null, bytes: rows[0]?.bytes ?? 0 }
}
