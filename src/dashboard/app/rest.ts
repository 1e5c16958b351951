import { t } from '../texts/pages.ts'
import { now } from './clock.ts'
import { bearerOf, type Credential } from './credential.ts'
import type { Fault, Problem } from './problem.ts'

/** A fault in a line of a file. */
export type LineFault = Fault & { line: number }

/** A failed REST request. If no answer came, the store may still have applied it. */
export class RestError extends Error {
  readonly code: Problem['code']
  readonly details: readonly LineFault[]
  /** When to retry, if the store said so. */
  readonly retryAt: string | null

  constructor(
    problem: Omit<Problem, 'details'>,
    details: readonly LineFault[] = [],
    retryAt: string | null = null,
  ) {
    super(problem.message)
    this.code = problem.code
    this.details = details
    this.retryAt = retryAt
  }

  /** Returns this error with line numbers counted in the whole file instead of in one part of it. */
  withLines(lineOf: (line: number) => number): RestError {
    const details = this.details.map(fault => ({ ...fault, line: lineOf(fault.line) }))
    return new RestError(this, details, this.retryAt)
  }
}

/** Sends a REST request that uploads or downloads a file, because GraphQL cannot carry files. */
export async function askRest(credential: Credential, path: string, how: RequestInit): Promise<Response> {
  const answer = await fetch(path, {
    ...how,
    credentials: 'omit',
    headers: { ...how.headers, Authorization: `Bearer ${await bearerOf(credential)}` },
  }).catch(() => {
    const message = t.problems.storeCannotBeReachedCheck
    throw new RestError({ code: 'offline', message })
  })
  if (answer.ok) return answer
  const body: { code?: string; message?: string; details?: LineFault[] } = await answer
    .json()
    .catch(() => ({}))
  const message = body.message ?? t.problems.tooManyRequestsOrStore
  const seconds = Number(answer.headers.get('Retry-After'))
  const retryAt = seconds > 0 ? new Date(now() + seconds * 1000).toISOString() : null
  throw new RestError({ code: body.code ?? 'unreadable', message }, body.details, retryAt)
}
