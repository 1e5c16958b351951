import type { Response } from 'express'
import { gatherHeader } from '../http/gathered-headers.ts'

/** An answer as it is sent: its bytes stand in a string, one character each. */
export type Answer = { status: number; headers: [string, string][]; body: string }

export function sendAnswer(response: Response, { status, headers, body }: Answer): void {
  response.statusCode = status
  for (const [name, value] of headers) gatherHeader(response, name, value)
  response.end(body, 'latin1')
}
