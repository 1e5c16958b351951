import type { Request, Response } from 'express'
import { requireScope, scopeFor } from '../core/keys/caller.ts'
import { judgePage } from '../core/pages.ts'
import {
  type Category,
  findCategory,
  judgeCategoryName,
  listCategories,
  readCategoryId,
  removeCategory,
  setCategory,
} from '../core/pets/categories.ts'
import { countByCategory } from '../core/pets/inventory.ts'
import type { Project } from '../core/project.ts'
import { answerEmpty, answerJson } from '../http/answer.ts'
import { askedAddress } from '../http/asked-address.ts'
import { callerOf } from '../http/caller-of.ts'
import { addHeader } from '../http/headers.ts'
import type { Tools } from '../tools.ts'
import { answerPage, readLimit } from './lists.ts'
import { readJsonObject } from './objects.ts'
import { readParameters, requireNoParameters } from './parameters.ts'
import { answerTaggedJson } from './tagged.ts'

type Counted = Category & { petCount: number }

async function withCounts(
  { database }: Tools,
  project: Project,
  categories: readonly Category[],
): Promise<Counted[]> {
  const counts = await countByCategory(
    database,
    project,
    categories.map(({ id }) => id),
  )
  return categories.map((category, index) => ({ ...category, petCount: counts[index] ?? 0 }))
}

async function spell(tools: Tools, project: Project, category: Category): Promise<string> {
  return (await withCounts(tools, project, [category])).map(categoryJson).join()
}

export function listCategoriesRoute(tools: Tools) {
  return async (request: Request, response: Response): Promise<void> => {
    const caller = callerOf(response)
    requireScope(caller, scopeFor.listCategories)
    const { limit, cursor } = readParameters(request.query, ['limit', 'cursor'])
    const asked = { limit: readLimit(limit), after: cursor }
    const page = judgePage('categories', caller.project, { limit: 'limit', after: 'cursor' }, asked)
    const found = await listCategories(tools.db, caller.project, page)
    const counted = { ...found, items: await withCounts(tools, caller.project, found.items) }
    return answerPage(tools, request, response, counted, categoryJson, { limit: page.limit })
  }
}

export function getCategoryRoute(tools: Tools) {
  return async (request: Request, response: Response): Promise<void> => {
    const caller = callerOf(response)
    requireScope(caller, scopeFor.getCategory)
    requireNoParameters(request)
    const category = await findCategory(
      tools.db,
      caller.project,
      readCategoryId(String(request.params.categoryId)),
    )
    return answerTaggedJson(request, response, await spell(tools, caller.project, category))
  }
}

export function setCategoryRoute(tools: Tools) {
  return async (request: Request, response: Response): Promise<void> => {
    const caller = callerOf(response)
    requireScope(caller, scopeFor.setCategory)
    const name = judgeCategoryName((await readJsonObject(request, response, ['name'])).name)
    const id = readCategoryId(String(request.params.categoryId))
    const { category, isNew } = await setCategory(tools, caller.project, id, name)
    if (isNew) addHeader(response, 'Location', `${askedAddress(tools.config, request)}/v1/categories/${id}`)
    answerJson(response, isNew ? 201 : 200, await spell(tools, caller.project, category))
  }
}

export function removeCategoryRoute(tools: Tools) {
  return async (request: Request, response: Response): Promise<void> => {
    const caller = callerOf(response)
    requireScope(caller, scopeFor.removeCategory)
    await removeCategory(tools, caller.project, readCategoryId(String(request.params.categoryId)))
    answerEmpty(response, 204)
  }
}

const categoryJson = ({ id, name, petCount }: Counted) =>
  `{"id":${id},"name":${JSON.stringify(name)},"petCount":${petCount}}`
