import type { Request, Response } from 'express'
import { type Fault, invalidInput } from '../core/errors.ts'
import { type ExportPlace, openExportPlaces } from '../core/export-places.ts'
import { requireScope } from '../core/keys/caller.ts'
import type { Scope } from '../core/keys/scopes.ts'
import type { Project } from '../core/project.ts'
import { answerStream } from '../http/answer.ts'
import { endedTooSoon } from '../http/body.ts'
import { addHeader } from '../http/headers.ts'
import { callerOf } from '../http/locals.ts'
import type { Price } from './charge.ts'
import type { FormatName, Formats, LineFormat } from './export-formats.ts'
import { readParameters } from './parameters.ts'

/** An export: its items, read page by page, and their formats. */
type Source<Name extends string, Filters, Item> = {
  /** The path below `/v1`. */
  path: string
  /** Name of the file, without its ending. */
  file: string
  scope: Scope
  parameters: readonly Name[]
  parseFilters(given: Record<Name, string | null>, faults: Fault[]): Filters
  priceOf(project: Project, filters: Filters): Promise<number>
  read(project: Project, filters: Filters): AsyncGenerator<Item[]>
  formats: Formats<Item>
  /** CSV that is safe in spreadsheets, which execute a cell that begins like a formula. */
  safe: LineFormat<Item>
}

const names: readonly FormatName[] = ['ndjson', 'csv']

export function exportRoute<Name extends string, Filters, Item>(source: Source<Name, Filters, Item>) {
  const openPlace = openExportPlaces()
  const places = new WeakMap<Request, ExportPlace>()

  /**
   * Returns the price of a request. The header X-RateLimit-Cost of GET and HEAD contains the price of the export, but a
   * HEAD request costs only one request.
   */
  const price: Price = async (request, response) => {
    if (!['GET', 'HEAD'].includes(request.method)) return 1
    response.locals.route = `/v1${source.path}`
    const { project } = callerOf(response)
    const { filters } = readExport(request, response)
    // Take the place among the running exports before the charge. If too many exports of the project run, the request
    // is refused, and the refused request costs one request instead of the price of the export.
    if (request.method === 'GET') {
      // A response that is closed already emits no further `close`, so the place would never be freed.
      if (response.closed) throw endedTooSoon()
      const place = openPlace(project, () => response.destroy())
      places.set(request, place)
      response.once('close', place.free)
    }
    const price = await source.priceOf(project, filters)
    addHeader(response, 'X-RateLimit-Cost', String(price))
    return request.method === 'HEAD' ? 1 : price
  }

  async function answer(request: Request, response: Response): Promise<void> {
    const { project } = callerOf(response)
    const { name, format, filters } = readExport(request, response)
    const place = places.get(request)
    const { type, head, line } = format
    addHeader(response, 'Content-Disposition', `attachment; filename="${source.file}.${name}"`)
    // Do not read any items for HEAD, because a HEAD request costs only one request. Reading can be expensive: if a
    // filter by name matches nothing, the search for the first page reads all pets.
    if (request.method === 'HEAD') return answerStream(response, type, async function* () {})
    const pages = source.read(project, filters)
    // Read the first page before the answer begins, so that the client still gets a 503 if the database is unavailable.
    const first = await pages.next()
    const write = (page: Item[]) => page.map(line).join('')
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

  function readExport(
    request: Request,
    response: Response,
  ): { name: FormatName; format: LineFormat<Item>; filters: Filters } {
    requireScope(callerOf(response), source.scope)
    const given = readParameters(request.query, ['format', 'safe', ...source.parameters])
    const faults: Fault[] = []
    const filters = source.parseFilters(given, faults)
    const wanted = given.format ?? 'ndjson'
    const name = names.find(one => one === wanted)
    if (!name) faults.push({ field: 'format', message: `must be one of ${names.join(', ')}` })
    if (given.safe !== null && (given.safe !== '1' || name !== 'csv'))
      faults.push({ field: 'safe', message: 'must be 1, and is allowed only with format=csv' })
    if (!name || faults.length > 0) throw invalidInput(faults)
    return { name, format: given.safe === null ? source.formats[name] : source.safe, filters }
  }

  return { price, answer }
}
