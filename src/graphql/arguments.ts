import { type FieldNode, getArgumentValues } from 'graphql'
import type { DeclaredCosts, Field, Lengths } from './declared-costs.ts'
import type { Variables } from './selections.ts'

/** The longest page in the schema; the core rejects larger ones. */
const mostItems = 100

/** Returns a field's arguments. Returns none if one of them is invalid, because execution will reject the field. */
export function argumentsOf(field: Field, node: FieldNode, variables: Variables): Record<string, unknown> {
  if (field.args.length === 0) return {}
  try {
    return getArgumentValues(field, node, variables)
  } catch {
    return {}
  }
}

/**
 * Returns the length of each list that `@listSize` on a field limits. The keys are the names of the lists. Returns
 * undefined if the field has no `@listSize`.
 */
export function lengthsOf(
  listSize: ReturnType<DeclaredCosts['listSize']>,
  field: Field,
  node: FieldNode,
  variables: Variables,
): Lengths | undefined {
  if (!listSize) return undefined
  const { assumedSize = mostItems, slicingArguments = [], sizedFields = [field.name] } = listSize
  if (slicingArguments.length === 0) return new Map(sizedFields.map(name => [name, assumedSize]))
  const given = argumentsOf(field, node, variables)
  const last = slicingArguments.findLast(name => typeof given[name] === 'number')
  const items = last === undefined ? assumedSize : Math.min(Math.max(Number(given[last]), 1), mostItems)
  // If each argument has the name of the list that the argument limits, as `days` and `hours` do, only one list has
  // items: the list of the last given argument.
  const isByName = slicingArguments.every(name => sizedFields.includes(name))
  return new Map(sizedFields.map(name => [name, isByName && last !== undefined && name !== last ? 0 : items]))
}
