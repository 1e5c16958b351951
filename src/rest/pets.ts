import type { Request, Response } from 'express'
import { requireScope, scopeFor } from '../core/keys/caller.ts'
import { getPetDeprecation } from '../core/keys/deprecations.ts'
import { deletePet, updatePet } from '../core/pets/change.ts'
import { newPetFields, tagOfPet } from '../core/pets/columns.ts'
import { createPet } from '../core/pets/create.ts'
import { admitGetPet } from '../core/pets/get.ts'
import { openPageCache, versionForPages } from '../core/pets/page-cache.ts'
import type { PageRequest } from '../core/pets/pages.ts'
import type { Pet } from '../core/pets/pets.ts'
import {
  parseNewPet,
  parsePageRequest,
  parsePetChange,
  readPetId,
  requireChange,
} from '../core/pets/rules.ts'
import type { Project } from '../core/project.ts'
import { answerEmpty, answerJson, bytesOf } from '../http/answer.ts'
import { quoted } from '../http/etag.ts'
import { addDeprecation, addHeader } from '../http/headers.ts'
import { callerOf, decisionOf } from '../http/locals.ts'
import { weightOf } from '../http/packing.ts'
import { requestUrl } from '../http/request-url.ts'
import type { Tools } from '../tools.ts'
import { readLimit } from './answer-list.ts'
import { answerTagged, type Tagged } from './etag-response.ts'
import { readCondition } from './if-match.ts'
import { readIdempotencyKey, readJsonObject } from './json-input.ts'
import { readParameters, requireNoParameters } from './parameters.ts'
import { petJson } from './pet-json.ts'
import { type Page, renderPage } from './pet-page.ts'

/**
 * In bytes: the size of the first pages of ten thousand stores, with some reserve. A cache that is slightly too small
 * evicts each page before its next use.
 */
const cacheBytes = 36_000_000
const petCacheBytes = 4_000_000
/** In characters: no page needs a longer URL. Answers to longer URLs are not cached. */
const longestQuestion = 200

export function listPetsRoute({ pets, config, changes, metrics }: Tools) {
  const cache = openPageCache<Page>(changes, cacheBytes, ['pets'], metrics.pages)

  return async (request: Request, response: Response): Promise<void> => {
    const { project } = callerOf(response)
    requireScope(callerOf(response), scopeFor.listPets)
    const version = versionFor(request, response)
    const page = await cache.find(project.id, version, questionOf(request, project), async () => {
      const wanted = readPageRequest(request, project)
      return renderPage(wanted, await pets.list(project, wanted))
    })
    if (page.next) addHeader(response, 'Link', `<${requestUrl(config, request)}${page.next}>; rel="next"`)
    return answerTagged(request, response, page)
  }
}

/** The raw query string is the cache key, so that a hit needs no parsing. */
const questionOf = (request: Request, project: Project) => `${project.id}${request.url}`

function versionFor(request: Request, response: Response): string | null {
  if (request.url.length > longestQuestion) return null
  return versionForPages(callerOf(response), decisionOf(response))
}

const listParameters = ['limit', 'status', 'cursor', 'categoryId', 'name', 'sort'] as const
const sortOrders = new Map([
  ['id', false],
  ['-id', true],
])
/** Returns null for a sort order that does not exist. */
const isNewestFirst = (sort: string | null) => sortOrders.get(sort ?? 'id') ?? null

function readPageRequest(request: Request, project: Project): PageRequest {
  const { limit, status, cursor, categoryId, name, sort } = readParameters(request.query, listParameters)
  return parsePageRequest(
    project,
    { limit: 'limit', after: 'cursor' },
    {
      limit: readLimit(limit),
      status,
      categoryId,
      name,
      newestFirst: isNewestFirst(sort),
      after: cursor,
    },
  )
}

export function createPetRoute(tools: Tools) {
  return async (request: Request, response: Response): Promise<void> => {
    const caller = callerOf(response)
    requireScope(caller, scopeFor.createPet)
    const input = parseNewPet(await readJsonObject(tools, request, response, newPetFields))
    const once = readIdempotencyKey(request)
    const { pet, isReplayed } = await createPet(tools, caller.project, input, once)
    addHeader(response, 'Location', `${requestUrl(tools.config, request)}/v1/pets/${pet.id}`)
    if (isReplayed) addHeader(response, 'Idempotent-Replayed', 'true')
    answerPet(response, 201, pet)
  }
}

export function updatePetRoute(tools: Tools) {
  return async (request: Request, response: Response): Promise<void> => {
    const caller = callerOf(response)
    requireScope(caller, scopeFor.updatePet)
    const change = requireChange(
      'body',
      parsePetChange(await readJsonObject(tools, request, response, newPetFields)),
    )
    const condition = readCondition(request)
    const id = readPetId(String(request.params.petId))
    answerPet(response, 200, await updatePet(tools, caller.project, id, change, condition))
  }
}

export function deletePetRoute(tools: Tools) {
  return async (request: Request, response: Response): Promise<void> => {
    const caller = callerOf(response)
    requireScope(caller, scopeFor.deletePet)
    const condition = readCondition(request)
    await deletePet(tools, caller.project, readPetId(String(request.params.petId)), condition)
    answerEmpty(response, 204)
  }
}

/** Answers a pet with its tag, which the next change may send as If-Match. */
function answerPet(response: Response, status: number, pet: Pet): Promise<void> | void {
  addHeader(response, 'ETag', quoted(tagOfPet(pet)))
  return answerJson(response, status, petJson(pet))
}

export function getPetRoute(tools: Tools) {
  const { pets, config, changes, metrics } = tools
  const cache = openPageCache<CachedPet>(changes, petCacheBytes, ['pets'], metrics.pages)
  return async (request: Request, response: Response): Promise<void> => {
    const caller = callerOf(response)
    const here = requestUrl(config, request)
    const link = `<${here}/v1/pets>; rel="successor-version", <${here}/openapi.yaml>; rel="deprecation"`
    addDeprecation(response, getPetDeprecation, link)
    requireNoParameters(request)
    const id = admitGetPet(tools, caller, String(request.params.petId))
    const { project } = caller
    const version = versionFor(request, response)
    const pet = await cache.find(project.id, version, questionOf(request, project), async () => {
      const found = await pets.find(project, id)
      const body = bytesOf(petJson(found))
      return { body, etag: quoted(tagOfPet(found)), bytes: weightOf(body), lastId: id }
    })
    return answerTagged(request, response, pet)
  }
}

type CachedPet = Tagged & { bytes: number; lastId: bigint }
