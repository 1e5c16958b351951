import { hash } from 'node:crypto'
import type { Category as CategoryRow } from '../../generated/prisma/client.ts'
import type { Limiter } from '../../limiter/limiter.ts'
import { type Condition, isConditional, requireFulfilled, type Tags, unconditional } from '../conditions.ts'
import type { Db } from '../db.ts'
import { invalidInput, StoreError } from '../errors.ts'
import { parseInt64 } from '../int64.ts'
import type { Project } from '../project.ts'
import { validateText } from '../text.ts'
import { thenInvalidatePages } from './invalidate-pages.ts'

/** A category with a name. Pets have category numbers whether or not the category has a name. */
export type Category = Omit<CategoryRow, 'projectId'>

type Tools = { db: Db; limiter: Pick<Limiter, 'renewVersion'> }

/** The columns of a `Category`. */
export const shown = { id: true, name: true, version: true } as const

export async function findCategory(db: Db, project: Project, id: bigint): Promise<Category> {
  const [category] = await findCategories(db, project, [id])
  if (!category) throw categoryNotFound(id)
  return category
}

/**
 * Finds categories by number. The result has one entry for each number, in the order of `ids`. The entry is null if the
 * category has no name.
 */
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

export function parseCategoryName(name: unknown): string {
  const { text, fault } = validateText('name', name, 100)
  if (fault) throw invalidInput([fault])
  return text
}

/** The version tag of a category's name. The number of pets does not change it. */
export function tagOfCategory({ id, name, version }: Category): string {
  return hash('sha256', JSON.stringify([`${id}`, name, `${version}`]), 'base64url').slice(0, 22)
}

/** REST's tags also contain the number of pets, which a condition must ignore. */
export function ignoreCounts({ match, noneMatch }: Condition): Condition {
  const withoutCounts = (tags: Tags | null) =>
    tags === null || tags === '*' ? tags : tags.map(tag => tag.replace(/\.\d+$/, ''))
  return { match: withoutCounts(match), noneMatch: withoutCounts(noneMatch) }
}

/** Names a category or renames it. */
export function setCategory(
  { db, limiter }: Tools,
  project: Project,
  id: bigint,
  name: string,
  condition: Condition = unconditional,
): Promise<{ category: Category; isNew: boolean }> {
  return thenInvalidatePages(limiter, project, async () => {
    const known = await findKnown(db, project, id, condition)
    const mustExist = known !== null && known.version !== null
    const mustBeNew = known !== null && known.version === null
    for (;;) {
      const created = mustExist ? null : await create(db, project, id, name)
      if (created) return { category: created, isNew: true }
      const changed = mustBeNew ? null : await change(db, project, id, name, known?.version ?? null)
      if (changed) return { category: changed, isNew: false }
      if (known) throw categoryAltered(id)
      // Another request removed the name between `create` and `change`: try again.
    }
  })
}

async function create(db: Db, project: Project, id: bigint, name: string): Promise<Category | undefined> {
  const data = { projectId: project.id, id, name }
  const [created] = await db.category.createManyAndReturn({ data, skipDuplicates: true, select: shown })
  return created
}

/**
 * Changes the name of a category. If `version` is given, changes the name only if the category still has this version.
 */
async function change(
  db: Db,
  project: Project,
  id: bigint,
  name: string,
  version: bigint | null,
): Promise<Category | undefined> {
  const [changed] = await db.category.updateManyAndReturn({
    where: { projectId: project.id, id, ...(version !== null && { version }) },
    data: { name },
    select: shown,
  })
  return changed
}

/** Removes the name of a category. Its pets keep the number. */
export function removeCategory(
  { db, limiter }: Tools,
  project: Project,
  id: bigint,
  condition: Condition = unconditional,
): Promise<void> {
  return thenInvalidatePages(limiter, project, async () => {
    // Without a name, refuse with the same error with and without a condition: a client that repeats a request whose
    // answer was lost learns that the name is gone.
    const known = await findKnown(db, project, id, condition, categoryNotFound)
    if (known?.version === null) throw categoryNotFound(id)
    const version = known?.version
    const { count } = await db.category.deleteMany({
      where: { projectId: project.id, id, ...(version !== undefined && { version }) },
    })
    if (count === 0) throw known ? categoryAltered(id) : categoryNotFound(id)
  })
}

/**
 * Returns null if there is no condition. Otherwise `version` is the version that the category must still have when it
 * is changed; null if the category must still have no name. `unnamed` makes the error for a category without a name.
 */
async function findKnown(
  db: Db,
  project: Project,
  id: bigint,
  condition: Condition,
  unnamed = categoryUnnamed,
): Promise<{ version: bigint | null } | null> {
  if (!isConditional(condition)) return null
  const [category = null] = await findCategories(db, project, [id])
  const unmatched = category ? categoryAltered : unnamed
  requireFulfilled(condition, category && tagOfCategory(category), `The category ${id}`, () => unmatched(id))
  return { version: category?.version ?? null }
}

/** Parses a category's number. An invalid number is refused like a category without a name. */
export function readCategoryId(text: string): bigint {
  const id = parseInt64(text)
  if (id === null)
    throw new StoreError(
      'category_not_found',
      'There is no such category: its number is an integer of 64 bits.',
    )
  return id
}

const categoryAltered = (id: bigint) =>
  new StoreError('precondition_failed', `The category ${id} has changed; read it again, then change it.`)

const categoryUnnamed = (id: bigint) =>
  new StoreError('precondition_failed', `The category ${id} has no name, so it has no tag that could match.`)

const categoryNotFound = (id: bigint) =>
  new StoreError('category_not_found', `The category ${id} has no name.`)
