import type { Request, Response } from 'express'
import { StoreError } from '../core/errors.ts'
import { parseExactJson } from '../core/exact-json.ts'
import { bodyLimitBytes } from './answer.ts'
import { malformed, readBody } from './body.ts'
import { addHeader } from './headers.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })
const plainJson = /^application\/json(; ?charset=utf-8)?$/i

/** The JSON body of a request. Integers of int64 come as bigint, exact to the last digit, however they are spelled. */
export async function readJsonBody(request: Request, response: Response): Promise<unknown> {
  return parseJson(await readJsonBytes(request, response))
}

/** The bytes of a JSON body, whole; none where there is no body. */
export async function readJsonBytes(request: Request, response: Response): Promise<Buffer> {
  requireJson(request, response)
  const pieces: Buffer[] = []
  await readBody(request, response, bodyLimitBytes, piece => void pieces.push(piece))
  return Buffer.concat(pieces)
}

/** RFC 5789, 3.1, and RFC 7396: what a PATCH here means is a merge patch under either name. */
const patchTypes = ['application/merge-patch+json', 'application/json']

function requireJson(request: Request, response: Response): void {
  const type = request.headers['content-type'] ?? ''
  if (plainJson.test(type)) return
  const isPatch = request.method === 'PATCH'
  const mediaType = request.is(isPatch ? patchTypes : 'application/json')
  // `is` answers null where there is no body at all; that is a missing body and not a wrong media type.
  if (mediaType === null || (mediaType !== false && isUtf8(type))) return
  if (isPatch) addHeader(response, 'Accept-Patch', patchTypes.join(', '))
  throw new StoreError('unsupported_media_type', 'The body must be application/json in UTF-8.')
}

/** Whether a Content-Type says so, or leaves it unsaid. */
export function isUtf8(type: string): boolean {
  return /^utf-?8$/i.test(/;\s*charset="?([^";\s]+)/i.exec(type)?.[1] ?? 'utf-8')
}

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw malformed('The request needs a JSON body.')
  try {
    return parseExactJson(utf8.decode(bytes))
  } catch {
    // Broken JSON, bytes that are no UTF-8, or nested so deep that the stack ends: all are the sender's.
    throw malformed('The body is not valid JSON.')
  }
}
