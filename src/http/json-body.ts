import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Request, Response } from 'express'
import { StoreError } from '../core/errors.ts'
import { parseExactJson } from '../core/exact-json.ts'
import { bodyLimitBytes } from './answer.ts'
import { bodyTooLarge } from './errors.ts'
import { addHeader } from './headers.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })
const plainJson = /^application\/json(; ?charset=utf-8)?$/i

/** The JSON body of a request. Integers of int64 come as bigint, exact to the last digit, however they are spelled. */
export async function readJsonBody(request: Request, response: Response): Promise<unknown> {
  return parseJson(await readJsonBytes(request, response))
}

/** The bytes of a JSON body, whole; none where there is no body. Nothing is read of one that is too large by its own word. */
export function readJsonBytes(request: Request, response: Response): Promise<Buffer> {
  requireJson(request)
  if (Number(request.headers['content-length']) > bodyLimitBytes) throw bodyTooLarge()
  const unpack = unpackerFor(request, response)
  inviteBody(request, response)
  return unpack ? readUnpacked(request, unpack) : readBytes(request)
}

function requireJson(request: Request): void {
  const type = request.headers['content-type'] ?? ''
  if (plainJson.test(type)) return
  const mediaType = request.is('application/json')
  const charset = /;\s*charset="?([^";\s]+)/i.exec(type)?.[1] ?? 'utf-8'
  // `is` answers null where there is no body at all; that is a missing body and not a wrong media type.
  if (mediaType === null || (mediaType !== false && /^utf-?8$/i.test(charset))) return
  throw new StoreError('unsupported_media_type', 'The body must be application/json in UTF-8.')
}

/** A client that asks before it sends (RFC 9110, 10.1.1) is told to go on by whoever is about to read. */
function inviteBody({ headers, httpVersion }: Request, response: Response): void {
  if (httpVersion !== '1.0' && /\b100-continue\b/i.test(headers.expect ?? '')) response.writeContinue()
}

function unpackerFor({ headers }: Request, response: Response): Transform | null {
  switch (headers['content-encoding']?.toLowerCase() ?? 'identity') {
    case 'identity':
      return null
    case 'gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      addHeader(response, 'Accept-Encoding', 'gzip, deflate, br')
      throw new StoreError(
        'unsupported_media_type',
        'The Content-Encoding of the body must be gzip, deflate, br or identity.',
      )
  }
}

async function readUnpacked(request: Request, unpack: Transform): Promise<Buffer> {
  request.once('close', () => {
    if (!request.complete) unpack.destroy()
  })
  try {
    return await readBytes(request.pipe(unpack))
  } finally {
    request.unpipe(unpack)
    unpack.destroy()
  }
}

function readBytes(stream: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= bodyLimitBytes) return void chunks.push(chunk)
      stream.pause()
      reject(bodyTooLarge())
    })
    stream.on('end', () => resolve(Buffer.concat(chunks)))
    stream.on('error', () => reject(malformed('The body cannot be unpacked.')))
    // An abort is an error only to whoever listens for one; in any case it closes the request.
    stream.on('close', () => {
      if (!stream.readableEnded) reject(malformed('The request ended too soon.'))
    })
  })
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

const malformed = (message: string) => new StoreError('malformed_request', message)
