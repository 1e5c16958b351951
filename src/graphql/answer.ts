import type { Response } from 'express'
import { answerBytes } from '../http/answer.ts'
import { keepNowhere } from '../http/caching.ts'
import { addHeader } from '../http/headers.ts'

/** An answer as it is sent. Each character of `body` is one byte. */
export type Answer = { status: number; headers: [string, string][]; body: string }

export function sendAnswer(response: Response, answer: Answer): Promise<void> | void {
  const { status, headers, body } = answer
  for (const [name, value] of headers) addHeader(response, name, value)
  if (status >= 400) keepNowhere(response)
  return answerBytes(response, status, body, answer)
}
