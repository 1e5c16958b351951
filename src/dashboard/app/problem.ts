import type { CombinedError } from 'urql'

export type Fault = { field: string; message: string }

/** What went wrong, in the store's own words where it has answered. */
export type Problem = {
  /** The store's code; `offline` where no answer came, `unreadable` where it was none of the store's. */
  code: string
  message: string
  details: Fault[]
}

export function problemOf(error: CombinedError): Problem {
  const told = error.graphQLErrors[0]
  if (told) {
    const { code, details } = told.extensions as { code?: string; details?: Fault[] }
    return { code: code ?? 'internal_error', message: told.message, details: details ?? [] }
  }
  const answered = error.response !== undefined
  return answered
    ? { code: 'unreadable', message: 'The service gave an answer that this page cannot read.', details: [] }
    : { code: 'offline', message: 'The service cannot be reached right now.', details: [] }
}

/** The message for one field of a form; the store names nested fields as `input.name`. */
export function faultOf(problem: Problem | null, field: string): string | undefined {
  const fault = problem?.details.find(({ field: name }) => name === field || name.endsWith(`.${field}`))
  return fault && `${fault.field.split('.').at(-1)} ${fault.message}`
}
