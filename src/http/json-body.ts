import type { Request, Response } from 'express'
import { StoreError } from '../core/errors.ts'
import { parseExactJson } from '../core/exact-json.ts'
import { bodyLimitBytes } from './answer.ts'
import { malformed, readBody } from './body.ts'
import { addHeader } from './headers.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })
const plainJson = /^application\/json(; ?charset=utf-8)?$/i

/** Reads the JSON body of a request. Integers are parsed as bigint, exact in any spelling. */
export async function readJsonBody(request: Request, response: Response): Promise<unknown> {
  return parseJson(await readJsonBytes(request, response))
}

/** Reads the bytes of a JSON body; empty if there is no body. */
export async function readJsonBytes(
  request: Request,
  response: Response,
  mostBytes = bodyLimitBytes,
): Promise<Buffer> {
  requireJson(request, response)
  const pieces: Buffer[] = []
  await readBody(request, response, mostBytes, piece => void pieces.push(piece))
  return Buffer.concat(pieces)
}

/** PATCH accepts a merge patch under both media types (RFC 5789, 3.1, and RFC 7396). */
const patchTypes = ['application/merge-patch+json', 'application/json']

function requireJson(request: Request, response: Response): void {
  const type = request.headers['content-type'] ?? ''
  if (plainJson.test(type)) return
  const isPatch = request.method === 'PATCH'
  const mediaType = request.is(isPatch ? patchTypes : 'application/json')
  // `is` returns null if there is no body, which is a different error than a wrong media type. It does not know that
  // fetch sends a POST without a body with Content-Length 0.
  if (
    mediaType === null ||
    request.headers['content-length'] === '0' ||
    (mediaType !== false && isUtf8(type))
  )
    return
  if (isPatch) addHeader(response, 'Accept-Patch', patchTypes.join(', '))
  const wanted = isPatch ? patchTypes.join(' or ') : 'application/json'
  throw new StoreError('unsupported_media_type', `The body must be ${wanted} in UTF-8.`)
}

/** True if the Content-Type names UTF-8 or no charset. */
export function isUtf8(type: string): boolean {
  return /^utf-?8$/i.test(/;\s*charset="?([^";\s]+)/i.exec(type)?.[1] ?? 'utf-8')
}

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw malformed('The request needs a JSON body.')
  try {
    return parseExactJson(utf8.decode(bytes))
  } catch {
    // Invalid JSON, invalid UTF-8, or nesting so deep that the stack overflows: all are the client's errors.
    throw malformed('The body is not valid JSON.')
  }
}
