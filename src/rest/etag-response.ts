import type { Request, Response } from 'express'
import { answerEmpty, answerJsonBytes, bytesOf } from '../http/answer.ts'
import { holds, tagOf } from '../http/etag.ts'
import { addHeader } from '../http/headers.ts'

/** An answer as it is sent, one character per byte, and its ETag. */
export type Tagged = { body: string; etag: string }

/** Sends 304 without a body if the client already has this version. */
export function answerTagged(request: Request, response: Response, tagged: Tagged): Promise<void> | void {
  addHeader(response, 'ETag', tagged.etag)
  if (holds(request, tagged.etag)) answerEmpty(response, 304)
  else return answerJsonBytes(response, 200, tagged.body, tagged)
}

/** Answers JSON that is not cached, with an ETag. The ETag is computed from `more` and the body. */
export function answerTaggedJson(
  request: Request,
  response: Response,
  json: string,
  more = '',
): Promise<void> | void {
  const body = bytesOf(json)
  return answerTagged(request, response, { body, etag: tagOf(`${more}${body}`) })
}
