import type { Response } from 'express'
import { answerBytes, answerEmpty } from '../http/answer.ts'
import { keepNowhere } from '../http/caching.ts'
import { holds, tagOf } from '../http/etag.ts'
import { addHeader, headerOf } from '../http/headers.ts'

/** An answer as it is sent. `body` is a latin1 string: each character is one byte. */
export type Answer = { status: number; headers: [string, string][]; body: string }

/** Caches etags, so that a cached answer is hashed once. */
const etags = new WeakMap<Answer, string>()

export function sendAnswer(response: Response, answer: Answer): Promise<void> | void {
  const { status, headers, body } = answer
  for (const [name, value] of headers) addHeader(response, name, value)
  if (status >= 400) keepNowhere(response)
  const isCacheable = headerOf(response, 'Cache-Control') !== 'no-store'
  if (response.req.method === 'GET' && status === 200 && isCacheable) {
    const etag = etags.get(answer) ?? tagOf(Buffer.from(body, 'latin1'))
    etags.set(answer, etag)
    addHeader(response, 'ETag', etag)
    if (holds(response.req, etag)) return answerEmpty(response, 304)
  }
  return answerBytes(response, status, body, answer)
}
