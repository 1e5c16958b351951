import type { Request, Response } from 'express'
import { requireScope, scopeFor } from '../core/keys/caller.ts'
import {
  type Category,
  findCategory,
  ignoreCounts,
  parseCategoryName,
  readCategoryId,
  removeCategory,
  setCategory,
  tagOfCategory,
} from '../core/pets/categories.ts'
import { listCategories, parseCategoriesRequest } from '../core/pets/category-list.ts'
import { countByCategory } from '../core/pets/inventory.ts'
import type { Project } from '../core/project.ts'
import { answerEmpty, answerJson, bytesOf } from '../http/answer.ts'
import { quoted } from '../http/etag.ts'
import { addHeader } from '../http/headers.ts'
import { callerOf } from '../http/locals.ts'
import { requestUrl } from '../http/request-url.ts'
import type { Tools } from '../tools.ts'
import { answerList, readLimit } from './answer-list.ts'
import { answerTagged } from './etag-response.ts'
import { readCondition } from './if-match.ts'
import { readJsonObject } from './json-input.ts'
import { readParameters, requireNoParameters } from './parameters.ts'

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

export function listCategoriesRoute(tools: Tools) {
  return async (request: Request, response: Response): Promise<void> => {
    const caller = callerOf(response)
    requireScope(caller, scopeFor.listCategories)
    const given = readParameters(request.query, ['limit', 'name', 'cursor'])
    const { page, name } = parseCategoriesRequest(
      caller.project,
      { limit: 'limit', after: 'cursor' },
      { limit: readLimit(given.limit), after: given.cursor, name: given.name },
    )
    const { items, nextCursor } = await listCategories(tools.db, caller.project, page, name)
    const counted = { items: await withCounts(tools, caller.project, items), nextCursor }
    return answerList(tools, request, response, counted, categoryJson, { limit: page.limit, name })
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
    const [counted] = await withCounts(tools, caller.project, [category])
    if (counted)
      return answerTagged(request, response, { body: bytesOf(categoryJson(counted)), etag: etagOf(counted) })
  }
}

export function setCategoryRoute(tools: Tools) {
  return async (request: Request, response: Response): Promise<void> => {
    const caller = callerOf(response)
    requireScope(caller, scopeFor.setCategory)
    const name = parseCategoryName((await readJsonObject(tools, request, response, ['name'])).name)
    const id = readCategoryId(String(request.params.categoryId))
    const { category, isNew } = await setCategory(tools, caller.project, id, name, conditionOf(request))
    if (isNew) addHeader(response, 'Location', `${requestUrl(tools.config, request)}/v1/categories/${id}`)
    const [counted] = await withCounts(tools, caller.project, [category])
    if (!counted) return
    addHeader(response, 'ETag', etagOf(counted))
    return answerJson(response, isNew ? 201 : 200, categoryJson(counted))
  }
}

export function removeCategoryRoute(tools: Tools) {
  return async (request: Request, response: Response): Promise<void> => {
    const caller = callerOf(response)
    requireScope(caller, scopeFor.removeCategory)
    const id = readCategoryId(String(request.params.categoryId))
    await removeCategory(tools, caller.project, id, conditionOf(request))
    answerEmpty(response, 204)
  }
}

/** The tag: the name's version and, after a dot, the count. A client gets 304 only if both are unchanged. */
const etagOf = (category: Counted) => quoted(`${tagOfCategory(category)}.${category.petCount}`)

const conditionOf = (request: Request) => ignoreCounts(readCondition(request))

const categoryJson = ({ id, name, petCount }: Counted) =>
  `{"id":${id},"name":${JSON.stringify(name)},"petCount":${petCount}}`
