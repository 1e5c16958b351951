import type { Category as CategoryRow } from '../../generated/prisma/client.ts'
import type { Limiter } from '../../limiter/limiter.ts'
import type { Db } from '../db.ts'
import { invalidInput, StoreError } from '../errors.ts'
import { parseInt64 } from '../int64.ts'
import { type Page, type PageAsked, toPage } from '../pages.ts'
import type { Project } from '../project.ts'
import { judgeText } from '../text.ts'
import { outdatePages } from './page-cache.ts'

/** The name of a category. Pets have a category number whether or not it has a name. */
export type Category = Omit<CategoryRow, 'projectId'>

type Tools = { db: Db; limiter: Pick<Limiter, 'renewVersion'> }

const shown = { id: true, name: true } as const

/** A page of the project's named categories by ascending number. */
export async function listCategories(db: Db, project: Project, page: PageAsked): Promise<Page<Category>> {
  const found = await db.category.findMany({
    where: { projectId: project.id, ...(page.after !== null && { id: { gt: page.after } }) },
    orderBy: { id: 'asc' },
    take: page.limit + 1,
    select: shown,
  })
  return toPage('categories', project, page, found)
}

export async function findCategory(db: Db, project: Project, id: bigint): Promise<Category> {
  const [category] = await findCategories(db, project, [id])
  if (!category) throw categoryNotFound(id)
  return category
}

/** Returns each name at the place of its number, or null if the number has no name. */
export async function findCategories(
  db: Db,
  project: Project,
  ids: readonly bigint[],
): Promise<(Category | null)[]> {
  const found = await db.category.findMany({
    where: { projectId: project.id, id: { in: [...ids] } },
    select: shown,
  })
  const byId = new Map(found.map(category => [category.id, category]))
  return ids.map(id => byId.get(id) ?? null)
}

export function judgeCategoryName(name: unknown): string {
  const { text, fault } = judgeText('name', name, 100)
  if (fault) throw invalidInput([fault])
  return text
}

/** Names a category or replaces its name. */
export async function setCategory(
  { db, limiter }: Tools,
  project: Project,
  id: bigint,
  name: string,
): Promise<{ category: Category; isNew: boolean }> {
  const [set] = await db.$queryRaw<(Category & { isNew: boolean })[]>`
    WITH old AS (
      SELECT FROM "categories" WHERE project_id = ${project.id}::int AND id = ${id}::bigint
    ), new AS (
      INSERT INTO "categories" (project_id, id, name) VALUES (${project.id}::int, ${id}::bigint, ${name}::text)
      ON CONFLICT (project_id, id) DO UPDATE SET name = excluded.name RETURNING id, name
    )
    SELECT new.*, NOT EXISTS (SELECT FROM old) AS "isNew" FROM new`
  if (!set) throw new Error('The category was not set.')
  await outdatePages(limiter, project)
  const { isNew, ...category } = set
  return { category, isNew }
}

/** Removes the name of a category; its pets keep the number. */
export async function removeCategory({ db, limiter }: Tools, project: Project, id: bigint): Promise<void> {
  const { count } = await db.category.deleteMany({ where: { projectId: project.id, id } })
  if (count === 0) throw categoryNotFound(id)
  await outdatePages(limiter, project)
}

/** Parses the number in a path or an id. An invalid one is refused like a category without a name. */
export function readCategoryId(text: string): bigint {
  const id = parseInt64(text)
  if (id === null)
    throw new StoreError(
      'category_not_found',
      'There is no such category: its number is an integer of 64 bits.',
    )
  return id
}

const categoryNotFound = (id: bigint) =>
  new StoreError('category_not_found', `The category ${id} has no name.`)
