import { AuthorityRefusal } from './certificate-authority.ts'

type HttpResponse = { status: number; headers: { [name: string]: unknown }; data?: unknown }

const pauseWithoutWordMs = 60_000
/** The limit for pauses: longer than any authority asks for, but short enough for the end to be a valid date. */
const longestPauseMs = 30 * 86_400_000

type AcmeProblem = { type?: string; detail?: string }

/** Parses the Retry-After header of an authority, in seconds or as a date (RFC 8555). */
export function readRetryAfter(response: HttpResponse, now: number): Date | null {
  const text = String(response.headers['retry-after'] ?? '')
  const at = /^\d+$/.test(text) ? now + Number(text) * 1000 : Date.parse(text)
  return Number.isNaN(at) ? null : new Date(Math.min(at, now + longestPauseMs))
}

/**
 * Returns the error for a response with which the authority `who` rejects a request. Returns null if the ACME library
 * handles the response itself.
 */
export function refusalIn(response: HttpResponse, now: number, who: string): AuthorityRefusal | null {
  const { status } = response
  const problem = (typeof response.data === 'object' && response.data ? response.data : {}) as AcmeProblem
  const type = problem.type?.replace('urn:ietf:params:acme:error:', '')
  if (status < 400 || type === 'badNonce') return null
  const retryAt = readRetryAfter(response, now)
  const words = cleaned(problem.detail) || `it answered ${status}`
  if (status === 429 || type === 'rateLimited' || (status === 503 && retryAt)) {
    const until = retryAt ?? new Date(now + pauseWithoutWordMs)
    return new AuthorityRefusal('ca_rate_limited', `${who} asks to wait: ${words}`, until)
  }
  if (status >= 500) {
    return new AuthorityRefusal('ca_unreachable', `${who} failed: ${words}`, retryAt)
  }
  return new AcmeRefusal(type ?? 'unknown', status, `${who} refused: ${words}`)
}

/** Returns the error for an answer that makes the order impossible to continue. The error quotes the answer. */
export function mistakeOf(who: string, what: string, answer: unknown): AuthorityRefusal {
  return new AuthorityRefusal('ca_refused', `${who} made a mistake: ${what}: ${quoted(answer)}`)
}

/**
 * Waits for a result of the ACME library. If the library throws an error of its own, the library cannot use the
 * authority's answer: such an error becomes a refusal that names the authority `who`.
 */
export async function understood<R>(who: string, result: Promise<R>): Promise<R> {
  return result.catch(error => {
    const isOfTheLibrary = error?.constructor === Error || error instanceof TypeError
    throw isOfTheLibrary ? mistakeOf(who, 'its answer cannot be used', error.message) : error
  })
}

const longestQuote = 200

/** Quotes an answer: the detail of an error, or else the beginning of the body. */
export function quoted(answer: unknown): string {
  if (typeof answer === 'string') return cleaned(answer).slice(0, longestQuote).toWellFormed() || 'nothing'
  // Drop `retryAt`, which our interceptor adds to every answer.
  const { retryAt: _, ...body } = (answer ?? {}) as AcmeProblem & { retryAt?: unknown }
  const words = cleaned(body.detail) || cleaned(JSON.stringify(body))
  return words.slice(0, longestQuote).toWellFormed()
}

/** Turns a remote server's text into one short line without control characters, safe to show and store. */
export function cleaned(text: unknown): string {
  if (typeof text !== 'string') return ''
  return text
    .slice(0, 1_000)
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, 500)
    .toWellFormed()
}

export class AcmeRefusal extends AuthorityRefusal {
  readonly type: string
  readonly status: number

  constructor(type: string, status: number, message: string) {
    super('ca_refused', message)
    this.type = type
    this.status = status
  }
}
