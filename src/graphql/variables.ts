import type { OperationDefinitionNode } from 'graphql'
import { type Fault, invalidInput, type StoreError } from '../core/errors.ts'
import type { Variables } from './selections.ts'

/**
 * The depth to which variables are checked. No input of the schema is nested deeper, so GraphQL's execution rejects
 * deeper values anyway.
 */
const deepestInput = 10
const mostFaults = 10
/** The largest input object of the schema has five members. */
const mostMembers = 50

/**
 * Returns an error if the variables of the operation hold an input object with too many members. Call this before
 * GraphQL reads the variables: each of its errors quotes the faulty object, and thousands of members would take ten
 * times the CPU time that a request pays for.
 */
export function findLargeInput(
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables,
): StoreError | null {
  const names = variableDefinitions.map(({ variable }) => variable.name.value)
  const field = names.map(name => largeIn(name, variables[name], 0)).find(found => found !== null)
  return field === undefined
    ? null
    : invalidInput([{ field, message: `has more than ${mostMembers} members` }])
}

/** Returns the path of the first object with too many members; null if there is none. */
function largeIn(path: string, value: unknown, depth: number): string | null {
  if (typeof value !== 'object' || value === null || depth === deepestInput) return null
  const members = Object.entries(value)
  if (!Array.isArray(value) && members.length > mostMembers) return path
  for (const [name, inner] of members) {
    const found = largeIn(`${path}.${name}`, inner, depth + 1)
    if (found !== null) return found
  }
  return null
}

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
