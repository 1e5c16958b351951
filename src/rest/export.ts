import type { Request, Response } from 'express'
import { type Fault, invalidInput } from '../core/errors.ts'
import { requireScope, scopeFor } from '../core/keys/caller.ts'
import { exportPets, type PetFilters, priceOfExport } from '../core/pets/export.ts'
import { type ExportPlace, openExportPlaces } from '../core/pets/export-places.ts'
import type { Pet } from '../core/pets/pets.ts'
import { parseFilters } from '../core/pets/rules.ts'
import { answerStream } from '../http/answer.ts'
import type { Price } from '../http/charge.ts'
import { addHeader } from '../http/headers.ts'
import { callerOf } from '../http/locals.ts'
import type { Tools } from '../tools.ts'
import { readParameters } from './parameters.ts'
import { isPetFormat, type PetFormat, petFormats, safeCsv } from './pet-formats.ts'

export function exportPetsRoute({ database, pets }: Tools) {
  const openPlace = openExportPlaces()
  const places = new WeakMap<Request, ExportPlace>()

  /** Prices an export. HEAD returns this price and costs one request. */
  const price: Price = async (request, response) => {
    if (!['GET', 'HEAD'].includes(request.method)) return 1
    response.locals.route = '/v1/pets/export'
    const { project } = callerOf(response)
    const { filters } = readExport(request, response)
    // Validate before charging: a request that is refused here costs one request.
    if (request.method === 'GET') {
      const place = openPlace(project, () => response.destroy())
      places.set(request, place)
      response.once('close', place.free)
    }
    const price = await priceOfExport(database, project, filters)
    addHeader(response, 'X-RateLimit-Cost', String(price))
    return request.method === 'HEAD' ? 1 : price
  }

  async function answer(request: Request, response: Response): Promise<void> {
    const { project } = callerOf(response)
    const { format, isSafe, filters } = readExport(request, response)
    const place = places.get(request)
    const pages = exportPets(pets, project, filters)
    // Read the first page before the answer begins, so that an unavailable database still gets a 503.
    const first = await pages.next()
    addHeader(response, 'Content-Disposition', `attachment; filename="pets.${format}"`)
    const { type, head, line } = isSafe ? safeCsv : petFormats[format]
    const write = (page: Pet[]) => page.map(line).join('')
    await answerStream(response, type, async function* () {
      place?.wait()
      yield head + (first.done ? '' : write(first.value))
      place?.goOn()
      for await (const page of pages) {
        place?.wait()
        yield write(page)
        place?.goOn()
      }
    })
  }

  return { price, answer }
}

const parameters = ['format', 'safe', 'status', 'categoryId', 'name'] as const

function readExport(
  request: Request,
  response: Response,
): { format: PetFormat; isSafe: boolean; filters: PetFilters } {
  requireScope(callerOf(response), scopeFor.exportPets)
  const { format, safe, ...given } = readParameters(request.query, parameters)
  const faults: Fault[] = []
  const filters = parseFilters(given, faults)
  const wanted = format ?? 'ndjson'
  const known = isPetFormat(wanted) ? wanted : null
  if (!known) {
    faults.push({ field: 'format', message: `must be one of ${Object.keys(petFormats).join(', ')}` })
  }
  if (safe !== null && (safe !== '1' || known !== 'csv'))
    faults.push({ field: 'safe', message: 'must be 1, and the format csv' })
  if (known === null || faults.length > 0) throw invalidInput(faults)
  return { format: known, isSafe: safe !== null, filters }
}
