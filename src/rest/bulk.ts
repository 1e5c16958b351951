import type { Request, Response } from 'express'
import { type Fault, invalidInput } from '../core/errors.ts'
import { requireScope, scopeFor } from '../core/keys/caller.ts'
import { deletePets, type FoundPets, findSelectedPets, updatePets } from '../core/pets/bulk.ts'
import { filterFields, parsePetSelection } from '../core/pets/bulk-rules.ts'
import { newPetFields, type Pet, type PetChange } from '../core/pets/columns.ts'
import { parsePetChange, requireChange } from '../core/pets/rules.ts'
import { answerJson } from '../http/answer.ts'
import { paidBy, payReading } from '../http/charge.ts'
import { addHeader } from '../http/headers.ts'
import { callerOf } from '../http/locals.ts'
import type { Tools } from '../tools.ts'
import type { Price } from './charge.ts'
import { requireNoCondition } from './if-match.ts'
import { readJsonObject } from './json-input.ts'
import { requireNoMisspelling } from './members.ts'
import { requireNoParameters } from './parameters.ts'

type Read = { found: FoundPets; change: PetChange }

/** Changes many pets in one request. Reads the ids before charging, because the number of pets sets the cost. */
export function bulkRoutes(tools: Tools) {
  const reads = new WeakMap<Request, Read>()

  const priceOf =
    (act: 'updatePets' | 'deletePets'): Price =>
    async (request, response) => {
      response.locals.route = '/v1/pets'
      const { project } = callerOf(response)
      requireScope(callerOf(response), scopeFor[act])
      requireNoParameters(request)
      requireNoCondition(request, 'give the tags as `etags` in the body')
      const known = ['ids', 'filter', 'etags', ...(act === 'updatePets' ? ['change'] : [])]
      const body = await readJsonObject(tools, request, response, known)
      if (isObject(body.filter)) requireNoMisspelling(body.filter, filterFields)
      const faults = findMisplaced(body, act)
      const selection = parsePetSelection(body, faults)
      if (faults.length > 0) throw invalidInput(faults)
      const change = act === 'updatePets' ? readChange(body.change) : {}
      const found = await findSelectedPets(tools, project, selection, async cost => {
        addHeader(response, 'X-RateLimit-Cost', String(cost))
        const store = cost - paidBy(response)
        if (store > 0) await payReading(tools, response, { door: 'rest', store, management: 0 })
      })
      reads.set(request, { found, change })
      addHeader(response, 'X-RateLimit-Cost', String(found.price))
      return found.price
    }

  const answer =
    (name: string, act: (response: Response, read: Read) => Promise<Pet[]>) =>
    async (request: Request, response: Response): Promise<void> => {
      const read = reads.get(request)
      if (!read) throw new Error('A change of many pets was not read before it was charged.')
      const ids = (await act(response, read)).map(({ id }) => id)
      return answerJson(response, 200, `{"${name}":${ids.length},"ids":[${ids.join(',')}]}`)
    }

  return {
    prices: { 'PATCH /pets': priceOf('updatePets'), 'DELETE /pets': priceOf('deletePets') },
    update: answer('updated', (response, { found, change }) =>
      updatePets(tools, callerOf(response).project, found, change),
    ),
    remove: answer('deleted', (response, { found }) => deletePets(tools, callerOf(response).project, found)),
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Finds filters beside `filter`. To ignore them would select more pets than the client meant. */
function findMisplaced(body: object, act: 'updatePets' | 'deletePets'): Fault[] {
  const places = act === 'updatePets' ? '`filter` or `change`' : '`filter`'
  return filterFields
    .filter(field => Object.hasOwn(body, field))
    .map(field => ({ field, message: `must be inside ${places}` }))
}

function readChange(change: unknown): PetChange {
  if (!isObject(change)) throw invalidInput([{ field: 'change', message: 'must be a JSON object' }])
  requireNoMisspelling(change, newPetFields)
  return requireChange('change', parsePetChange(change))
}
