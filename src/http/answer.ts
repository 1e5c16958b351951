import type { Response } from 'express'
import { gatherHeader } from './gathered-headers.ts'

/** A text's bytes, one character each: node sends such a string in one piece with the headers, and need not encode it. */
export function bytesOf(text: string): string {
  return /[^ -~]/.test(text) ? Buffer.from(text).toString('latin1') : text
}

/** Express's own send would hash every body for an ETag; the store knows its answers better. */
export function answerJson(response: Response, status: number, json: string): void {
  answerJsonBytes(response, status, bytesOf(json))
}

export function answerJsonBytes(response: Response, status: number, bytes: string): void {
  response.statusCode = status
  gatherHeader(response, 'Content-Type', 'application/json; charset=utf-8')
  // Node says the length by itself, but of a body that is not sent.
  if (response.req.method === 'HEAD') gatherHeader(response, 'Content-Length', String(bytes.length))
  response.end(bytes, 'latin1')
}
