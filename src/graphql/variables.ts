import { type Fault, invalidInput } from '../core/errors.ts'
import type { Variables } from './selections.ts'

/** Whatever is nested deeper fits no input of the schema, and is execution's to refuse. */
const deepestInput = 10
const mostFaults = 10

/** JSON numbers past 2^53 arrive rounded: what they name can no longer be known, so it is refused and not guessed. */
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
