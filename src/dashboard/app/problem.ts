import type { CombinedError } from 'urql'
import { t } from '../texts/index.ts'
import { SessionError } from './person.ts'

export type Fault = { field: string; message: string }

/** An error. If the store answered, `message` is the store's own message. */
export type Problem = {
  /** The store's code. `offline`: no answer came. `unreadable`: the answer was not the store's. */
  code: string
  message: string
  details: Fault[]
  /** How long to wait before the next attempt. */
  retryAfterSeconds?: number | undefined
}

export function problemOf(error: CombinedError): Problem {
  const first = error.graphQLErrors[0]
  if (first) {
    const { code, details, retryAfterSeconds } = first.extensions as Partial<Problem>
    return {
      code: code ?? 'internal_error',
      message: first.message,
      details: details ?? [],
      retryAfterSeconds,
    }
  }
  // The service refused to renew a person's token.
  const { networkError } = error
  if (networkError instanceof SessionError)
    return { code: networkError.code, message: networkError.message, details: [] }
  const answered = error.response !== undefined
  return answered
    ? { code: 'unreadable', message: t.problems.serviceGaveAnswerThatThis, details: [] }
    : { code: 'offline', message: t.problems.serviceCannotBeReachedRight, details: [] }
}

/** The error text beside a field, worded like the field's label. A function receives the store's message. */
type Words = string | ((message: string) => string)

/**
 * Maps the store's faults to fields of a form, in the form's own words. The store's messages and field names, such as
 * `input.name`, are for developers.
 */
export function faultsOf<Field extends string>(
  error: CombinedError | undefined,
  words: Record<Field, Words>,
): { beside: Partial<Record<Field, string>>; elsewhere: CombinedError | null } {
  if (!error) return { beside: {}, elsewhere: null }
  const { details } = problemOf(error)
  const beside: Partial<Record<Field, string>> = {}
  for (const { field, message } of details) {
    const known = (Object.keys(words) as Field[]).find(name => name === field || field.endsWith(`.${name}`))
    if (!known) continue
    const say = words[known]
    beside[known] = typeof say === 'string' ? say : say(message)
  }
  return { beside, elsewhere: Object.keys(beside).length === 0 ? error : null }
}
