import { invalidInput, StoreError } from '../core/errors.ts'

/** Drops null values: for GraphQL, null means absent. */
export function givenIn(input: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
}

/** Prefixes the core's field names with `input`, or another place that holds these fields. */
export async function withinInput<Result>(
  act: () => Result | Promise<Result>,
  place = 'input',
): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'invalid_input') throw error
    throw invalidInput(error.details.map(({ field, message }) => ({ field: `${place}.${field}`, message })))
  }
}
