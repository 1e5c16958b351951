import type { Response } from 'express'
import { gatherHeader } from '../http/gathered-headers.ts'

/** Express's own send would hash every body for an ETag; the store knows its answers better. */
export function answerJson(response: Response, status: number, json: string): void {
  response.statusCode = status
  gatherHeader(response, 'Content-Type', 'application/json; charset=utf-8')
  gatherHeader(response, 'Content-Length', String(Buffer.byteLength(json)))
  response.end(json)
}
