import { invalidInput, StoreError } from '../core/errors.ts'

/** The core names fields by themselves; here those of an input object stand in the argument `input`. */
export async function withinInput<Result>(act: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'invalid_input') throw error
    throw invalidInput(error.details.map(({ field, message }) => ({ field: `input.${field}`, message })))
  }
}
