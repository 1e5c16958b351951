import { type ErrorCode, type FieldError, StoreError } from './errors.ts'
import { parseExactJson } from './exact-json.ts'
import { readRetryAfterSeconds } from './headers.ts'

type Stream = ReadableStream<Uint8Array>
type ErrorBody = { code: ErrorCode; message: string; details?: FieldError[] }

/** The media types of exports and of the stream of events. */
const streamTypes = /^(text\/event-stream|text\/csv|application\/x-ndjson)\s*(;|$)/i

/** Parses an answer. Throws for refusals, failures, and answers that do not come from the store. */
export function readAnswer(response: Response, text: string): unknown {
  if (response.status === 204) return undefined
  let body: unknown
  try {
    body = parseExactJson(text)
  } catch (cause) {
    throw unexpected(response, cause)
  }
  if (response.ok) return body
  if (!isErrorBody(body)) throw unexpected(response)
  const { code, message, details = [] } = body
  throw new StoreError(code, message, { ...circumstancesOf(response), details })
}

/**
 * Returns the stream of a successful answer. Throws if the answer does not come from the store, but for example from a
 * captive portal.
 */
export function readStream(response: Response, stream: Stream | null): Stream {
  if (stream !== null && streamTypes.test(response.headers.get('Content-Type') ?? '')) return stream
  void stream?.cancel().catch(() => {})
  throw unexpected(response)
}

const unexpected = (response: Response, cause?: unknown) =>
  new StoreError('unexpected_answer', `The answer with status ${response.status} is not the store's.`, {
    ...circumstancesOf(response),
    cause,
  })

const circumstancesOf = ({ status, headers }: Response) => ({
  status,
  requestId: headers.get('X-Request-Id'),
  retryAfterSeconds: readRetryAfterSeconds(headers),
})

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null) return false
  const { code, message } = body as Partial<ErrorBody>
  return typeof code === 'string' && typeof message === 'string'
}
