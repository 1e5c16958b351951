import { type FieldNode, getArgumentValues } from 'graphql'
import type { Variables } from './selections.ts'
import type { Field, Lengths, Sizes } from './sizes.ts'

/** No list of the schema is longer: the core refuses more. */
const mostItems = 100

/** A field's arguments; none if execution is going to refuse one of them. */
export function argumentsOf(field: Field, node: FieldNode, variables: Variables): Record<string, unknown> {
  if (field.args.length === 0) return {}
  try {
    return getArgumentValues(field, node, variables)
  } catch {
    return {}
  }
}

/** The lengths that a field with `@listSize` gives to lists, by their names. */
export function lengthsOf(
  listSize: ReturnType<Sizes['listSize']>,
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
  // Each argument bounds the list of its own name, and the last one given leaves the others empty.
  const isByName = slicingArguments.every(name => sizedFields.includes(name))
  return new Map(sizedFields.map(name => [name, isByName && last !== undefined && name !== last ? 0 : items]))
}
