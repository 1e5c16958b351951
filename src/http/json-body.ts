import { type Request, raw } from 'express'
import { StoreError } from '../core/errors.ts'
import { parseExactJson } from '../core/exact-json.ts'

const bodyLimitBytes = 64 * 1024

const readAnyBytes = raw({ type: () => true, limit: bodyLimitBytes })
const utf8 = new TextDecoder('utf-8', { fatal: true })
const plainJson = /^application\/json(; ?charset=utf-8)?$/i

/**
 * The body that nearly every client sends: JSON of a known length, as it is. Null where it is anything else, which Express
 * reads just as well, at several times the cost.
 */
function readPlainBytes(request: Request): Promise<Buffer> | null {
  const { headers } = request
  const length = Number(headers['content-length'])
  if (!(length > 0 && length <= bodyLimitBytes) || !plainJson.test(headers['content-type'] ?? '')) return null
  if (headers['content-encoding'] !== undefined || headers['transfer-encoding'] !== undefined) return null
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => resolve(Buffer.concat(chunks)))
    // An abort is an error only to whoever listens for one; in any case it closes the request.
    request.once('close', () => {
      if (!request.complete) reject(new StoreError('malformed_request', 'The request ended too soon.'))
    })
  })
}

/** The JSON body of a request. Integers of int64 come as bigint, exact to the last digit, however they are spelled. */
export async function readJsonBody(request: Request): Promise<unknown> {
  return parseJson(await readJsonBytes(request))
}

/** The bytes of a JSON body, whole; none where there is no body. */
export async function readJsonBytes(request: Request): Promise<Buffer> {
  const plain = readPlainBytes(request)
  if (plain) return plain
  const mediaType = request.is('application/json')
  const charset = /;\s*charset="?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8'
  // `is` answers null where there is no body at all; that is a missing body and not a wrong media type.
  if (mediaType === false || (mediaType !== null && !/^utf-?8$/i.test(charset))) {
    throw new StoreError('unsupported_media_type', 'The body must be application/json in UTF-8.')
  }
  await new Promise<void>((resolve, reject) => {
    readAnyBytes(request, request.res as never, fault => (fault ? reject(fault) : resolve()))
  })
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
}

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new StoreError('malformed_request', 'The request needs a JSON body.')
  try {
    return parseExactJson(utf8.decode(bytes))
  } catch {
    // Broken JSON, bytes that are no UTF-8, or nested so deep that the stack ends: all are the sender's.
    throw new StoreError('malformed_request', 'The body is not valid JSON.')
  }
}
