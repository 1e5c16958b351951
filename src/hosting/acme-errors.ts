import { AuthorityRefusal } from './certificate-authority.ts'

type HttpResponse = { status: number; headers: { [name: string]: unknown }; data?: unknown }

const pauseWithoutWordMs = 60_000
/** Longer than any authority asks for, but still a valid date. */
const longestPauseMs = 30 * 86_400_000

type AcmeProblem = { type?: string; detail?: string }

/** Parses the Retry-After header of an authority, in seconds or as a date (RFC 8555). */
export function readRetryAfter(response: HttpResponse, now: number): Date | null {
  const text = String(response.headers['retry-after'] ?? '')
  const at = /^\d+$/.test(text) ? now + Number(text) * 1000 : Date.parse(text)
  return Number.isNaN(at) ? null : new Date(Math.min(at, now + longestPauseMs))
}

/** Returns the error for a rejected request; null for a response that the client handles itself. */
export function refusalIn(response: HttpResponse, now: number): AuthorityRefusal | null {
  const { status } = response
  const problem = (typeof response.data === 'object' && response.data ? response.data : {}) as AcmeProblem
  const type = problem.type?.replace('urn:ietf:params:acme:error:', '')
  if (status < 400 || type === 'badNonce') return null
  const retryAt = readRetryAfter(response, now)
  const words = cleaned(problem.detail) || `it answered ${status}`
  if (status === 429 || type === 'rateLimited' || (status === 503 && retryAt)) {
    const until = retryAt ?? new Date(now + pauseWithoutWordMs)
    return new AuthorityRefusal('ca_rate_limited', `The certificate authority asks to wait: ${words}`, until)
  }
  if (status >= 500) {
    return new AuthorityRefusal(
      'ca_unreachable',
      `The certificate authority is in trouble: ${words}`,
      retryAt,
    )
  }
  return new AcmeRefusal(type ?? 'unknown', status, `The certificate authority refused: ${words}`)
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
