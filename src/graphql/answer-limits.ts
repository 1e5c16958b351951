import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql'
import { StoreError } from '../core/errors.ts'

/** The longest answer in bytes, including errors. */
export const maxAnswerBytes = 1_000_000
export const mostErrors = 100

/**
 * True if the answer is too long. Stops counting at the limit: a few hundred stored texts under many aliases could fill
 * the memory.
 */
export function isTooLong(answer: FormattedExecutionResult): boolean {
  let left = maxAnswerBytes
  return !fits(answer)

  /** Counts a lower bound of the JSON's size: at least one byte per character. */
  function fits(value: unknown): boolean {
    if (typeof value === 'string') left -= value.length + 2
    else if (Array.isArray(value)) return value.every(fits)
    else if (typeof value === 'object' && value !== null) {
      // `Object.entries` would build an array for each field, and this function would take three times as long.
      for (const key in value) {
        left -= key.length + 4
        if (left < 0 || !fits((value as Record<string, unknown>)[key])) return false
      }
    } else left -= 1
    return left >= 0
  }
}

export function answerTooLong(isMutation: boolean): StoreError {
  const limit = `The answer has more than ${maxAnswerBytes} bytes`
  return new StoreError(
    'operation_too_complex',
    isMutation
      ? `The changes were made, but ${limit[0]?.toLowerCase()}${limit.slice(1)}. Ask for fewer fields.`
      : `${limit}. Ask for shorter pages or fewer fields.`,
  )
}

/** Keeps the first errors, and adds an error that says how many more there were. */
export function cutErrors(errors: readonly GraphQLFormattedError[]): readonly GraphQLFormattedError[] {
  if (errors.length <= mostErrors) return errors
  const shown = errors.slice(0, mostErrors - 1)
  const [next] = errors.slice(mostErrors - 1)
  const { code, status } = next?.extensions ?? {}
  const message = `${errors.length - shown.length} more errors were omitted.`
  return [...shown, { message, extensions: { code, status } }]
}
