import { readFileSync } from 'node:fs'
import { buildSchema, Kind, parse } from 'graphql'
import { type Cost, openCost } from '../../src/graphql/cost.ts'

const costOf = openCost(
  buildSchema(readFileSync('schema.graphql', 'utf8'), { assumeValid: true }),
  () => false,
)

/**
 * Returns the cost of a GraphQL operation without variables and fragments. Returns null if the calculation of the cost
 * refuses the operation.
 */
export function costOfText(text: string): Cost | null {
  const [operation] = parse(text).definitions
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return null
  try {
    return costOf(operation, new Map(), () => ({}))
  } catch {
    return null
  }
}

export const unitsOf = (text: string): number => costOfText(text)?.units ?? 0
