import type { Response } from 'express'

/** Express's own send would hash every body for an ETag; the store knows its answers better. */
export function answerJson(response: Response, status: number, json: string): void {
  response.statusCode = status
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Content-Length', Buffer.byteLength(json))
  response.end(json)
}
