import type { Request, Response } from 'express'
import { requireScope } from '../core/callers.ts'
import { getPetDeprecation, refuseAfterSunset } from '../core/deprecations.ts'
import { invalidInput, StoreError } from '../core/errors.ts'
import { createPetOnce, judgeIdempotencyKey } from '../core/idempotency.ts'
import { parseInt64 } from '../core/int64.ts'
import { createPet, findPet, judgeNewPet, judgePageRequest, listPets } from '../core/pets.ts'
import { callerOf } from '../http/caller-of.ts'
import { readJsonBody } from '../http/json-body.ts'
import type { Tools } from '../tools.ts'
import { answerJson } from './answer.ts'
import { petJson, petsJson } from './pet-json.ts'

export function listPetsRoute({ db, config }: Tools) {
  return async (request: Request, response: Response): Promise<void> => {
    const caller = callerOf(response)
    requireScope(caller, 'pets:read')
    const limit = onlyOne(request, 'limit')
    const page = judgePageRequest(
      caller.project,
      { limit: 'limit', after: 'cursor' },
      {
        limit: limit === null ? 20 : /^\d{1,3}$/.test(limit) ? Number(limit) : null,
        status: onlyOne(request, 'status'),
        after: onlyOne(request, 'cursor'),
      },
    )
    const { pets, nextCursor } = await listPets(db, caller.project, page)
    if (nextCursor) {
      const query = new URLSearchParams({
        limit: String(page.limit),
        ...(page.status && { status: page.status }),
        cursor: nextCursor,
      })
      response.setHeader('Link', `<${config.publicUrl}/v1/pets?${query}>; rel="next"`)
    }
    answerJson(response, 200, petsJson(pets))
  }
}

export function createPetRoute({ db, clock, config }: Tools) {
  return async (request: Request, response: Response): Promise<void> => {
    const caller = callerOf(response)
    requireScope(caller, 'pets:write')
    const body = await readJsonBody(request)
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw invalidInput([{ field: 'body', message: 'must be a JSON object' }])
    }
    const key = request.get('Idempotency-Key')
    const input = judgeNewPet(body as Record<string, unknown>)
    const pet =
      key === undefined
        ? await createPet(db, caller.project, input)
        : await createPetOnce(db, clock, caller.project, judgeIdempotencyKey('Idempotency-Key', key), input)
    response.setHeader('Location', `${config.publicUrl}/v1/pets/${pet.id}`)
    answerJson(response, 201, petJson(pet))
  }
}

export function getPetRoute({ db, clock, config, tally }: Tools) {
  const deprecation = `@${getPetDeprecation.since.getTime() / 1000}`
  const sunset = getPetDeprecation.sunset.toUTCString()
  const link = `<${config.publicUrl}/v1/pets>; rel="successor-version", <${config.publicUrl}/openapi.yaml>; rel="deprecation"`
  return async (request: Request, response: Response): Promise<void> => {
    const caller = callerOf(response)
    response.setHeader('Deprecation', deprecation)
    response.setHeader('Sunset', sunset)
    response.setHeader('Link', link)
    requireScope(caller, 'pets:read')
    tally.countDeprecated(caller, getPetDeprecation.field)
    refuseAfterSunset(clock.now())
    const id = parseInt64(String(request.params.petId))
    if (id === null)
      throw new StoreError('pet_not_found', 'There is no such pet: ids are integers of 64 bits.')
    answerJson(response, 200, petJson(await findPet(db, caller.project, id)))
  }
}

/** A query parameter's text, or null where it is absent; given twice, it is nobody's guess which one counts. */
function onlyOne(request: Request, name: string): string | null {
  const value = request.query[name]
  if (value === undefined || typeof value === 'string') return value ?? null
  throw invalidInput([{ field: name, message: 'must be given once' }])
}
