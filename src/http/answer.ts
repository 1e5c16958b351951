import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import { addHeader, sendHead } from './headers.ts'
import { encodingOf, openPacker, pack } from './packing.ts'

/** The largest request body that the service reads. */
export const bodyLimitBytes = 64 * 1024

/** In milliseconds: how long a client may take to read an answer that ends its connection. */
export const readingMs = 1_000

/** Returns a text's bytes as a latin1 string, which Node.js sends in one piece with the headers, without encoding. */
export function bytesOf(text: string): string {
  return /[^ -~]/.test(text) ? Buffer.from(text).toString('latin1') : text
}

/** Replaces Express' `send`, which would hash every body for an ETag. */
export function answerJson(response: Response, status: number, json: string): Promise<void> | void {
  return answerJsonBytes(response, status, bytesOf(json))
}

export function answerJsonBytes(
  response: Response,
  status: number,
  bytes: string,
  owner?: object,
): Promise<void> | void {
  addHeader(response, 'Content-Type', 'application/json; charset=utf-8')
  return answerBytes(response, status, bytes, owner)
}

/**
 * Sends bytes, compressed if the client accepts a compression. `owner` is the object to which the compressed bytes
 * belong in the cache: later answers with the same `owner` use these compressed bytes again.
 */
export function answerBytes(
  response: Response,
  status: number,
  bytes: string | Buffer,
  owner: object = response,
): Promise<void> | void {
  const encoding = encodingOf(response, bytes)
  if (encoding === null) return sendBytes(response, status, bytes)
  return pack(owner, encoding, bytes).then(packed => {
    addHeader(response, 'Content-Encoding', encoding)
    sendBytes(response, status, packed)
  })
}

function sendBytes(response: Response, status: number, bytes: string | Buffer): void {
  addHeader(response, 'Content-Length', String(bytes.length))
  const isLast = leavesMuchUnread(response.req)
  if (isLast) addHeader(response, 'Connection', 'close')
  sendHead(response, status)
  if (isLast) endAfterAWhile(response, bytes)
  else response.end(bytes, 'latin1')
}

/** True if the client still has more to send than the service will read. Node.js would read all of it. */
function leavesMuchUnread({ complete, headers }: Request): boolean {
  if (complete) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > bodyLimitBytes
}

/**
 * Ends the connection only after a while. If the connection ended at once, a client that is still sending would lose
 * the answer (RFC 9112, 9.6).
 */
function endAfterAWhile(response: Response, bytes: string | Buffer): void {
  response.write(bytes, 'latin1')
  const end = setTimeout(() => response.end(), readingMs)
  response.once('close', () => clearTimeout(end))
}

export function answerText(response: Response, type: string, text: string): Promise<void> | void {
  addHeader(response, 'Content-Type', type)
  return answerBytes(response, 200, bytesOf(text))
}

/**
 * Streams an answer of any length. Takes `parts` only as fast as the client reads, and stops when the client
 * disconnects. An error cuts the connection, so that the client notices that the answer is incomplete.
 */
export async function answerStream(
  response: Response,
  type: string,
  parts: () => AsyncIterable<string>,
): Promise<void> {
  const encoding = encodingOf(response, { length: Number.POSITIVE_INFINITY })
  addHeader(response, 'Content-Type', type)
  if (encoding) addHeader(response, 'Content-Encoding', encoding)
  sendHead(response, 200)
  if (response.req.method === 'HEAD') return void response.end()
  try {
    if (encoding) await pipeline(parts, openPacker(encoding), response)
    else await pipeline(parts, response)
  } catch (error) {
    if (!hasLeft(error)) throw error
  }
}

const hasLeft = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'

/** Sends an answer without a body. */
export function answerEmpty(response: Response, status: number): void {
  if (status !== 204 && status !== 304) addHeader(response, 'Content-Length', '0')
  sendHead(response, status)
  response.end()
}
