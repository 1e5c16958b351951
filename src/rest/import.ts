import type { Request, Response } from 'express'
import { type ErrorCode, StoreError } from '../core/errors.ts'
import { type Caller, requireScope, scopeFor } from '../core/keys/caller.ts'
import { type Imported, openImport, priceOfReading, priceUnderKey } from '../core/pets/import.ts'
import { openImportDraft, type ValidatedPets } from '../core/pets/import-draft.ts'
import { openImportRoom, type Place } from '../core/pets/import-memory.ts'
import { givingWay } from '../database/pieces.ts'
import { answerJson } from '../http/answer.ts'
import { readBody } from '../http/body.ts'
import { addHeader } from '../http/headers.ts'
import { isUtf8 } from '../http/json-body.ts'
import { callerOf } from '../http/locals.ts'
import { keepPart } from '../http/refund.ts'
import type { Tools } from '../tools.ts'
import type { Price } from './charge.ts'
import type { FormatName } from './export-formats.ts'
import { readIdempotencyKey } from './json-input.ts'
import { openLines } from './lines.ts'
import { requireNoParameters } from './parameters.ts'
import { petFormats } from './pet-formats.ts'
import { petReaders } from './read-pets.ts'
import { validateAgain } from './validate-again.ts'

const mostBytes = 10_000_000
/** Refusals of an import whose Idempotency-Key another request uses or has used. */
const repeated: readonly ErrorCode[] = ['idempotency_in_flight', 'idempotency_mismatch']

/** A validated body, kept from the computation of its price until its import. */
type Read = { pets: ValidatedPets; bytes: number; key: string | null; place: Place }
type Priced = Read & { isReplay: boolean }

/**
 * Imports pets. Reads and validates the body before charging, because its size sets the price. Skips the body if the
 * caller cannot pay even one request. Takes a database connection only after the whole body has arrived.
 */
export function importPetsRoute(tools: Tools) {
  const importPets = openImport(tools)
  const openPlace = openImportRoom()
  const imports = new WeakMap<Request, Priced>()

  const price: Price = async (request, response) => {
    if (request.method !== 'POST') return 1
    response.locals.route = '/v1/pets/import'
    const caller = callerOf(response)
    requireScope(caller, scopeFor.importPets)
    const read = await readImport(caller, request, response).catch(refusal => {
      addHeader(response, 'X-RateLimit-Cost', String(response.locals.readingCost ?? 1))
      throw refusal
    })
    await validateAgain(tools, request, response)
    const { pets, bytes, key } = read
    const size = { pets: pets.count, bytes }
    const { price: points, isReplay } = await priceUnderKey(tools, callerOf(response).project, size, key)
    imports.set(request, { ...read, isReplay })
    addHeader(response, 'X-RateLimit-Cost', String(points))
    return points
  }

  async function readImport({ project }: Caller, request: Request, response: Response): Promise<Read> {
    requireNoParameters(request)
    const format = readFormat(request)
    const key = readIdempotencyKey(request)
    const place = openPlace(project)
    response.once('close', place.free)
    let bytes = 0
    const take = (piece: number) => {
      bytes += piece
      response.locals.readingCost = priceOfReading(project, bytes)
      place.take(piece)
    }
    const pets = await readPets(request, response, format, { ...place, take }, givingWay(project.id))
    return { pets, bytes, key, place }
  }

  async function answer(request: Request, response: Response): Promise<void> {
    const read = imports.get(request)
    if (!read) throw new Error('An import was not read before it was charged.')
    const { imported, isReplayed } = await importPets(
      callerOf(response).project,
      read.pets,
      read.key,
      read.isReplay,
    ).catch(async refusal => {
      // If the Idempotency-Key was unused when the price was computed, the whole import was charged. Since then, another
      // import has used the key. Keep only the cost of reading the body, and refund the rest.
      if (refusal instanceof StoreError && repeated.includes(refusal.code))
        await keepPart(tools, response, response.locals.readingCost ?? 1)
      throw refusal
    })
    if (isReplayed) {
      await keepPart(tools, response, response.locals.readingCost ?? 1)
      addHeader(response, 'Idempotent-Replayed', 'true')
    }
    await answerJson(response, 201, importedJson(imported))
  }

  return { price, answer }
}

function readFormat({ headers }: Request): FormatName {
  const type = headers['content-type'] ?? ''
  const mediaType = type.split(';')[0]?.trim().toLowerCase()
  const formats = Object.keys(petFormats) as FormatName[]
  const format = formats.find(format => petFormats[format].type.startsWith(`${mediaType};`))
  if (format !== undefined && isUtf8(type)) return format
  throw new StoreError(
    'unsupported_media_type',
    'The body must be application/x-ndjson or text/csv, in UTF-8.',
  )
}

async function readPets(
  request: Request,
  response: Response,
  format: FormatName,
  place: Place,
  giveWay: ReturnType<typeof givingWay>,
): Promise<ValidatedPets> {
  const draft = openImportDraft()
  const lines = openLines(petReaders[format](draft))
  try {
    await readBody(request, response, mostBytes, piece =>
      giveWay(piece, part => {
        place.take(part.length)
        lines.take(part)
      }),
    )
    lines.end()
    return draft.finish()
  } catch (refusal) {
    // Release the memory of the refused import now. Otherwise the memory would be released only after the answer has
    // ended, about a second later, and until that time other imports could be refused.
    place.free()
    throw refusal
  }
}

/** Formats the answer. Numbers are exact over int64; `firstId` and `lastId` are absent if no pets were imported. */
function importedJson({ imported, firstId, lastId }: Imported): string {
  return firstId === null
    ? '{"imported":0}'
    : `{"imported":${imported},"firstId":${firstId},"lastId":${lastId}}`
}
