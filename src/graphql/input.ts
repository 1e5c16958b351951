import { invalidInput, StoreError } from '../core/errors.ts'

/** To GraphQL null is as good as absent. */
export function givenIn(input: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
}

/** The core names fields by themselves; here those of an input object stand in the argument `input`. */
export async function withinInput<Result>(act: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'invalid_input') throw error
    throw invalidInput(error.details.map(({ field, message }) => ({ field: `input.${field}`, message })))
  }
}
