import type { Request, Response } from 'express'
import { answerEmpty, answerJsonBytes, bytesOf } from '../http/answer.ts'
import { holds, tagOf } from '../http/etag.ts'
import { addHeader } from '../http/headers.ts'

/** An answer as it is sent, one character each byte, and the tag by which a client knows it again. */
export type Tagged = { body: string; etag: string }

/** A client that holds just this already is told so, and nothing more is sent. */
export function answerTagged(request: Request, response: Response, tagged: Tagged): Promise<void> | void {
  addHeader(response, 'ETag', tagged.etag)
  if (holds(request, tagged.etag)) answerEmpty(response, 304)
  else return answerJsonBytes(response, 200, tagged.body, tagged)
}

/** An answer that is made for this one request; `more` is what the tag names beside the body. */
export function answerTaggedJson(
  request: Request,
  response: Response,
  json: string,
  more = '',
): Promise<void> | void {
  const body = bytesOf(json)
  return answerTagged(request, response, { body, etag: tagOf(`${more}${body}`) })
}
