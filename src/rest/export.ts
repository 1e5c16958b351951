import type { Request, Response } from 'express'
import { type Fault, invalidInput } from '../core/errors.ts'
import { requireScope, scopeFor } from '../core/keys/caller.ts'
import { exportPets, type PetFilters, priceOfExport } from '../core/pets/export.ts'
import type { Pet } from '../core/pets/pets.ts'
import { judgeFilters } from '../core/pets/rules.ts'
import { answerStream } from '../http/answer.ts'
import { callerOf } from '../http/caller-of.ts'
import type { Price } from '../http/charge.ts'
import { addHeader } from '../http/headers.ts'
import type { Tools } from '../tools.ts'
import { readParameters } from './parameters.ts'
import { isPetFormat, type PetFormat, petFormats } from './pet-formats.ts'

/** Whoever asks with HEAD is told the price for the price of one. */
export function priceOfExportRoute({ database }: Tools): Price {
  return async (request, response) => {
    if (!['GET', 'HEAD'].includes(request.method)) return 1
    response.locals.route = '/v1/pets/export'
    const { project } = callerOf(response)
    const { filters } = readExport(request, response)
    const price = await priceOfExport(database, project, filters)
    addHeader(response, 'X-RateLimit-Cost', String(price))
    return request.method === 'HEAD' ? 1 : price
  }
}

export function exportPetsRoute({ pets }: Tools) {
  return async (request: Request, response: Response): Promise<void> => {
    const { project } = callerOf(response)
    const { format, filters } = readExport(request, response)
    const pages = exportPets(pets, project, filters)
    // Before the answer begins, so that a database that is away is still told as that.
    const first = await pages.next()
    addHeader(response, 'Content-Disposition', `attachment; filename="pets.${format}"`)
    const { type, head, line } = petFormats[format]
    const write = (page: Pet[]) => page.map(line).join('')
    await answerStream(response, type, async function* () {
      yield head + (first.done ? '' : write(first.value))
      for await (const page of pages) yield write(page)
    })
  }
}

const parameters = ['format', 'status', 'categoryId', 'name'] as const

function readExport(request: Request, response: Response): { format: PetFormat; filters: PetFilters } {
  requireScope(callerOf(response), scopeFor.exportPets)
  const { format, ...asked } = readParameters(request.query, parameters)
  const faults: Fault[] = []
  const filters = judgeFilters(asked, faults)
  const wanted = format ?? 'ndjson'
  const known = isPetFormat(wanted) ? wanted : null
  if (!known) {
    faults.push({ field: 'format', message: `must be one of ${Object.keys(petFormats).join(', ')}` })
  }
  if (known === null || faults.length > 0) throw invalidInput(faults)
  return { format: known, filters }
}
