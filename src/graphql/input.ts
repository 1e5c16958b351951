import { invalidInput, StoreError } from '../core/errors.ts'

/** Prefixes the field names in the core's errors with `place`. */
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
