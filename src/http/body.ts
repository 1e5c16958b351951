import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Request, Response } from 'express'
import { StoreError } from '../core/errors.ts'
import { bodyTooLarge } from './errors.ts'
import { addHeader } from './headers.ts'

/** Takes one piece of a body. If it returns a promise, the next piece comes after the promise has resolved. */
type Take = (piece: Buffer) => Promise<void> | void

/**
 * Reads and decompresses the body in pieces. Stops if `take` throws. Rejects a body whose Content-Length is too large,
 * without reading the body.
 */
export async function readBody(
  request: Request,
  response: Response,
  mostBytes: number,
  take: Take,
): Promise<void> {
  if (Number(request.headers['content-length']) > mostBytes) throw bodyTooLarge(mostBytes)
  // If the client has already disconnected, the request emits no further event, not even `end`.
  if (request.destroyed) throw endedTooSoon()
  const unpack = unpackerFor(request, response)
  inviteBody(request, response)
  return unpack ? readUnpacked(request, unpack, mostBytes, take) : readPieces(request, mostBytes, take)
}

/** Sends 100 Continue to a client that waits for it (RFC 9110, 10.1.1). */
function inviteBody({ headers, httpVersion }: Request, response: Response): void {
  if (httpVersion !== '1.0' && /\b100-continue\b/i.test(headers.expect ?? '')) response.writeContinue()
}

function unpackerFor({ headers }: Request, response: Response): Transform | null {
  switch (headers['content-encoding']?.toLowerCase() ?? 'identity') {
    case 'identity':
      return null
    case 'gzip':
    // RFC 9110, 8.4.1.3: the same as gzip.
    case 'x-gzip':
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

async function readUnpacked(
  request: Request,
  unpack: Transform,
  mostBytes: number,
  take: Take,
): Promise<void> {
  request.once('close', () => {
    if (!request.complete) unpack.destroy()
  })
  try {
    await readPieces(request.pipe(unpack), mostBytes, take)
  } finally {
    request.unpipe(unpack)
    unpack.destroy()
  }
}

function readPieces(stream: Readable, mostBytes: number, take: Take): Promise<void> {
  return new Promise((resolve, reject) => {
    let length = 0
    let taking: Promise<void> | void
    const takePiece = (piece: Buffer) => {
      length += piece.length
      try {
        if (length > mostBytes) throw bodyTooLarge(mostBytes)
        taking = take(piece)
        if (!taking) return
        stream.pause()
        taking.then(() => stream.resume(), refuse)
      } catch (refusal) {
        refuse(refusal)
      }
    }
    const refuse = (refusal: unknown) => {
      // Remove this listener, so that the pieces can be freed while the client reads the answer.
      stream.off('data', takePiece)
      stream.pause()
      reject(refusal)
    }
    stream.on('data', takePiece)
    // The stream may emit `end` while `take` still works on the last piece, although the stream is paused. So wait for
    // `take` before the promise resolves.
    stream.on('end', () => (taking ? taking.then(resolve, () => {}) : resolve()))
    stream.on('error', () => reject(malformed('The body cannot be unpacked.')))
    // An aborted request always emits `close`, but `error` only if there is a listener.
    stream.on('close', () => {
      if (!stream.readableEnded) reject(endedTooSoon())
    })
  })
}

export const endedTooSoon = () => malformed('The request ended too soon.')

export const malformed = (message: string) => new StoreError('malformed_request', message)
