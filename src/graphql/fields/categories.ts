import { makeCursor } from '../../core/cursor.ts'
import { StoreError } from '../../core/errors.ts'
import { scopeFor } from '../../core/keys/caller.ts'
import {
  findCategory,
  ignoreCounts,
  parseCategoryName,
  readCategoryId,
  removeCategory,
  type Category as StoredCategory,
  setCategory,
  tagOfCategory,
} from '../../core/pets/categories.ts'
import { listCategories, parseCategoriesRequest } from '../../core/pets/category-list.ts'
import { parseIfMatch } from '../../core/pets/change.ts'
import type { Project } from '../../core/project.ts'
import { type Connection, connectionOf, neighboursOf, readPage } from '../connection.ts'
import { type Context, storeCaller } from '../context.ts'
import type {
  CategoryResolvers,
  MutationResolvers,
  QueryCategoriesArgs,
  QueryResolvers,
} from '../generated/resolvers.ts'
import { makeId, readId } from '../ids.ts'
import { withinInput } from '../input.ts'
import { admitReader, loadersOf, noteOwner } from '../store-readers.ts'

export const categoryQueries = {
  categories: (_parent, args, context) =>
    pageOfCategories(context, storeCaller(context, scopeFor.listCategories).project, args),

  category(_parent, { categoryId }, context) {
    const { project } = storeCaller(context, scopeFor.getCategory)
    return findCategory(context.tools.db, project, readCategoryId(categoryId))
  },
} satisfies QueryResolvers

/** Returns a page of a project's categories, for `Query.categories` and `Project.categories`. */
export async function pageOfCategories(
  context: Context,
  project: Project,
  { name: part, ...args }: Partial<QueryCategoriesArgs>,
): Promise<Connection<StoredCategory>> {
  admitReader(context, project, scopeFor.listCategories, 'categories')
  const pageArgs = readPage(args, 20)
  const { isBackward } = pageArgs
  const parsed = parseCategoriesRequest(project, pageArgs.names, { ...pageArgs, name: part ?? null })
  const page = { ...parsed.page, isBackward }
  const { items, hasMore, nextCursor } = await listCategories(context.tools.db, project, page, parsed.name)
  noteOwner(context, project, items)
  // A search may read more categories than its page shows, so the next page continues after the last category read.
  const end = parsed.name === null ? null : nextCursor
  return connectionOf(
    items,
    neighboursOf(pageArgs, hasMore),
    ({ id }) => makeCursor(project, id, 'categories'),
    isBackward ? { startCursor: end } : { endCursor: end },
  )
}

/** Returns one of a project's categories, for `Project.category`. */
export async function categoryOf(
  context: Context,
  project: Project,
  number: string,
): Promise<StoredCategory> {
  admitReader(context, project, scopeFor.getCategory, `category ${number}`)
  const category = await findCategory(context.tools.db, project, readCategoryId(number))
  noteOwner(context, project, [category])
  return category
}

export const categoryMutations = {
  async categorySet(_parent, { input }, context) {
    const { project } = storeCaller(context, scopeFor.setCategory)
    const name = await withinInput(() => parseCategoryName(input.name))
    const condition = ignoreCounts(parseIfMatch('input.ifMatch', input.ifMatch ?? null))
    const { category } = await setCategory(context.tools, project, ownNumber(input.id), name, condition)
    return { category }
  },

  async categoryRemove(_parent, { input }, context) {
    const { project } = storeCaller(context, scopeFor.removeCategory)
    const condition = ignoreCounts(parseIfMatch('input.ifMatch', input.ifMatch ?? null))
    const number = ownNumber(input.id)
    await removeCategory(context.tools, project, number, condition)
    return { deletedId: makeId('category', String(number)) }
  },
} satisfies MutationResolvers

/** Converts a category's GraphQL id to its number. */
export function ownNumber(id: string): bigint {
  const own = readId('category', id)
  if (own !== null) return readCategoryId(own)
  throw new StoreError('category_not_found', 'There is no such category: its id has the form category_7.')
}

export const Category = {
  id: category => makeId('category', String(category.id)),
  categoryId: category => String(category.id),
  etag: category => tagOfCategory(category),
  petCount(category, _args, context) {
    // A null `lastId` means that any new pet of the project invalidates the cached answer. The count needs null,
    // because any new pet can change it.
    context.operation.lastId = null
    return loadersOf(context, category).petCount.load(category.id)
  },
} satisfies CategoryResolvers
