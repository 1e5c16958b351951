import type { Response } from 'express'
import { gatherHeader } from './gathered-headers.ts'

/**
 * Express's own send would hash every body for an ETag; the store knows its answers better. The body's bytes stand in a
 * string, one character each, because node sends a string in one piece with the headers before it.
 */
export function answerJson(response: Response, status: number, json: string): void {
  answerJsonBytes(response, status, Buffer.from(json).toString('latin1'))
}

export function answerJsonBytes(response: Response, status: number, bytes: string): void {
  response.statusCode = status
  gatherHeader(response, 'Content-Type', 'application/json; charset=utf-8')
  gatherHeader(response, 'Content-Length', String(bytes.length))
  response.end(bytes, 'latin1')
}
