import { makeCursor } from '../../core/cursor.ts'
import { scopeFor } from '../../core/keys/caller.ts'
import { parsePage } from '../../core/pages.ts'
import {
  findCategory,
  ignoreCounts,
  listCategories,
  parseCategoryName,
  readCategoryId,
  removeCategory,
  type Category as StoredCategory,
  setCategory,
  tagOfCategory,
} from '../../core/pets/categories.ts'
import { parseIfMatch } from '../../core/pets/change.ts'
import type { Project } from '../../core/project.ts'
import { type Connection, connectionOf } from '../connection.ts'
import { type Context, ownerOf, storeCaller } from '../context.ts'
import type {
  CategoryResolvers,
  MutationResolvers,
  QueryCategoriesArgs,
  QueryResolvers,
} from '../generated/resolvers.ts'
import { makeId } from '../ids.ts'

export const categoryQueries = {
  categories: (_parent, args, context) =>
    pageOfCategories(context, storeCaller(context, scopeFor.listCategories).project, args),

  category(_parent, { categoryId }, context) {
    const { project } = storeCaller(context, scopeFor.getCategory)
    return findCategory(context.tools.db, project, readCategoryId(categoryId))
  },
} satisfies QueryResolvers

/** Returns a page of the caller's own categories, for `Query.categories` and `Project.categories`. */
export async function pageOfCategories(
  context: Context,
  project: Project,
  { first, after }: Partial<QueryCategoriesArgs>,
): Promise<Connection<StoredCategory>> {
  ownerOf(context, project, scopeFor.listCategories)
  const asked = { limit: first ?? 20, after: after ?? null }
  const page = parsePage('categories', project, { limit: 'first', after: 'after' }, asked)
  const { items, hasMore } = await listCategories(context.tools.db, project, page)
  const place = { hasNextPage: hasMore, hasPreviousPage: page.after !== null }
  return connectionOf(items, place, ({ id }) => makeCursor(project, id, 'categories'))
}

export const categoryMutations = {
  async setCategory(_parent, { categoryId, name, ifMatch }, context) {
    const { project } = storeCaller(context, scopeFor.setCategory)
    const text = parseCategoryName(name)
    const condition = ignoreCounts(parseIfMatch('ifMatch', ifMatch ?? null))
    return (await setCategory(context.tools, project, readCategoryId(categoryId), text, condition)).category
  },

  async removeCategory(_parent, { categoryId, ifMatch }, context) {
    const { project } = storeCaller(context, scopeFor.removeCategory)
    const condition = ignoreCounts(parseIfMatch('ifMatch', ifMatch ?? null))
    await removeCategory(context.tools, project, readCategoryId(categoryId), condition)
    return { removedId: makeId('category', categoryId) }
  },
} satisfies MutationResolvers

export const Category = {
  id: category => makeId('category', String(category.id)),
  categoryId: category => String(category.id),
  etag: category => tagOfCategory(category),
  petCount(category, _args, { loaders, operation }) {
    // Any pet of the project can change the count, so any new pet invalidates the answer.
    operation.lastId = null
    return loaders().petCount.load(category.id)
  },
} satisfies CategoryResolvers
