import { type ErrorCode, type FieldError, StoreError } from './errors.ts'
import { parseExactJson } from './exact-json.ts'
import { readRetryAfterSeconds } from './headers.ts'

type ErrorBody = { code: ErrorCode; message: string; details?: FieldError[] }

/** Parses an answer. Throws for refusals, failures, and answers that do not come from the store. */
export function readAnswer({ ok, status, headers }: Response, text: string): unknown {
  const circumstances = {
    status,
    requestId: headers.get('X-Request-Id'),
    retryAfterSeconds: readRetryAfterSeconds(headers),
  }
  const fail = (cause?: unknown) =>
    new StoreError('unexpected_answer', `The answer with status ${status} is not the store's.`, {
      ...circumstances,
      cause,
    })
  if (status === 204) return undefined
  let body: unknown
  try {
    body = parseExactJson(text)
  } catch (cause) {
    throw fail(cause)
  }
  if (ok) return body
  if (!isErrorBody(body)) throw fail()
  throw new StoreError(body.code, body.message, { ...circumstances, details: body.details ?? [] })
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null) return false
  const { code, message } = body as Partial<ErrorBody>
  return typeof code === 'string' && typeof message === 'string'
}
