import type { Request, Response } from 'express'
import { addPet } from '../core/add-pet.ts'
import { requireScope, scopeFor } from '../core/callers.ts'
import { getPetDeprecation } from '../core/deprecations.ts'
import { invalidInput } from '../core/errors.ts'
import { judgeGetPet } from '../core/get-pet.ts'
import { judgeIdempotencyKey } from '../core/idempotency.ts'
import { openPageCache } from '../core/page-cache.ts'
import { judgeNewPet, judgePageRequest } from '../core/pet-rules.ts'
import type { PageRequest } from '../core/pets.ts'
import type { Project } from '../core/projects.ts'
import { answerEmpty, answerJson, answerJsonBytes, bytesOf } from '../http/answer.ts'
import { askedAddress } from '../http/asked-address.ts'
import { callerOf, decisionOf } from '../http/caller-of.ts'
import { addDeprecation } from '../http/deprecation.ts'
import { holds, tagOf } from '../http/etag.ts'
import { addHeader } from '../http/headers.ts'
import { readJsonBody } from '../http/json-body.ts'
import { weightOf } from '../http/packing.ts'
import type { Tools } from '../tools.ts'
import { type Page, renderPage } from './page.ts'
import { readParameters } from './parameters.ts'
import { petJson } from './pet-json.ts'

const keptBytes = 25_000_000
const keptPetsBytes = 2_000_000
/** A longer address than any page has. */
const longestQuestion = 200

export function listPetsRoute({ pets, config, changes }: Tools) {
  const kept = openPageCache<Page>(changes, keptBytes)

  return async (request: Request, response: Response): Promise<void> => {
    const { project } = callerOf(response)
    requireScope(callerOf(response), scopeFor.listPets)
    const version = versionFor(request, response)
    const page = await kept.find(project.id, version, questionOf(request, project), async () => {
      const wanted = readPageRequest(request, project)
      return renderPage(wanted, await pets.list(project, wanted))
    })
    if (page.next) addHeader(response, 'Link', `<${askedAddress(config, request)}${page.next}>; rel="next"`)
    return answerTagged(request, response, page)
  }
}

/** The question is what stands in the address, so that a kept answer costs no reading of it. */
const questionOf = (request: Request, project: Project) => `${project.id}${request.url}`

function versionFor(request: Request, response: Response): string | null {
  return request.url.length > longestQuestion ? null : decisionOf(response).version
}

const listParameters = ['limit', 'status', 'cursor'] as const

function readPageRequest(request: Request, project: Project): PageRequest {
  const { limit, status, cursor } = readParameters(request.query, listParameters)
  return judgePageRequest(
    project,
    { limit: 'limit', after: 'cursor' },
    {
      limit: limit === null ? 20 : /^\d{1,3}$/.test(limit) ? Number(limit) : null,
      status,
      after: cursor,
    },
  )
}

/** A client that holds just this already is told so, and nothing more is sent. */
function answerTagged(request: Request, response: Response, kept: Tagged): Promise<void> | void {
  addHeader(response, 'ETag', kept.etag)
  if (holds(request, kept.etag)) answerEmpty(response, 304)
  else return answerJsonBytes(response, 200, kept.body, kept)
}

type Tagged = Pick<Page, 'body' | 'etag'>

export function createPetRoute(tools: Tools) {
  return async (request: Request, response: Response): Promise<void> => {
    const caller = callerOf(response)
    requireScope(caller, scopeFor.createPet)
    const body = await readJsonBody(request, response)
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw invalidInput([{ field: 'body', message: 'must be a JSON object' }])
    }
    const [key, ...more] = request.headersDistinct['idempotency-key'] ?? []
    if (more.length > 0) throw invalidInput([{ field: 'Idempotency-Key', message: 'must be given once' }])
    const input = judgeNewPet(body as Record<string, unknown>)
    const once = key === undefined ? null : judgeIdempotencyKey('Idempotency-Key', key)
    const { pet, isReplayed } = await addPet(tools, caller.project, input, once)
    addHeader(response, 'Location', `${askedAddress(tools.config, request)}/v1/pets/${pet.id}`)
    if (isReplayed) addHeader(response, 'Idempotent-Replayed', 'true')
    answerJson(response, 201, petJson(pet))
  }
}

export function getPetRoute(tools: Tools) {
  const { pets, config, changes } = tools
  const kept = openPageCache<KeptPet>(changes, keptPetsBytes)
  return async (request: Request, response: Response): Promise<void> => {
    const caller = callerOf(response)
    const here = askedAddress(config, request)
    const link = `<${here}/v1/pets>; rel="successor-version", <${here}/openapi.yaml>; rel="deprecation"`
    addDeprecation(response, getPetDeprecation, link)
    const id = judgeGetPet(tools, caller, String(request.params.petId))
    const { project } = caller
    const version = versionFor(request, response)
    const pet = await kept.find(project.id, version, questionOf(request, project), async () => {
      const body = bytesOf(petJson(await pets.find(project, id)))
      return { body, etag: tagOf(body), bytes: weightOf(body), lastId: id }
    })
    return answerTagged(request, response, pet)
  }
}

type KeptPet = Tagged & { bytes: number; lastId: bigint }
