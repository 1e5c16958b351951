import type { Response } from 'express'
import { answerBytes } from '../http/answer.ts'
import { keepNowhere } from '../http/caching.ts'
import { addHeader } from '../http/headers.ts'

/** An answer as it is sent: its bytes stand in a string, one character each. */
export type Answer = { status: number; headers: [string, string][]; body: string }

export function sendAnswer(response: Response, { status, headers, body }: Answer): void {
  for (const [name, value] of headers) addHeader(response, name, value)
  if (status >= 400) keepNowhere(response)
  answerBytes(response, status, body)
}
