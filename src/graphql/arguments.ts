import { type FieldNode, getArgumentValues } from 'graphql'
import type { DeclaredCosts, Field, Lengths } from './declared-costs.ts'
import type { Variables } from './selections.ts'

/** The length of the longest list in the schema: the core rejects larger pages. */
const mostItems = 100

/** A field's arguments; none if execution will reject one of them. */
export function argumentsOf(field: Field, node: FieldNode, variables: Variables): Record<string, unknown> {
  if (field.args.length === 0) return {}
  try {
    return getArgumentValues(field, node, variables)
  } catch {
    return {}
  }
}

/** The list lengths that a field with `@listSize` sets, by the names of the lists. */
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
  const items = last === undefined ? mostItems : Math.min(Math.max(Number(given[last]), 1), mostItems)
  // If each argument bounds the list of its own name, all lists but that of the last given argument are empty.
  const isByName = slicingArguments.every(name => sizedFields.includes(name))
  return new Map(sizedFields.map(name => [name, isByName && last !== undefined && name !== last ? 0 : items]))
}
