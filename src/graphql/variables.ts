import { type Fault, invalidInput } from '../core/errors.ts'
import type { Variables } from './selections.ts'

/**
 * The depth to which variables are checked. No input of the schema is nested deeper, so GraphQL's execution rejects
 * deeper values anyway.
 */
const deepestInput = 10
const mostFaults = 10

/** Rejects JSON numbers beyond 2^53, because they arrived rounded and the intended number is unknown. */
export function refuseRoundedNumbers(variables: Variables): void {
  const faults: Fault[] = []
  collect('', variables, 0)
  if (faults.length > 0) throw invalidInput(faults)

  function collect(field: string, value: unknown, depth: number): void {
    if (faults.length === mostFaults) return
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
      faults.push({
        field,
        message: 'is a number past 2^53, which JSON cannot carry exactly; send it as a string',
      })
    } else if (typeof value === 'object' && value !== null && depth < deepestInput) {
      for (const [name, inner] of Object.entries(value))
        collect(field ? `${field}.${name}` : name, inner, depth + 1)
    }
  }
}
