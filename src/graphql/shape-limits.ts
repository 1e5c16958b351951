import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { StoreError } from '../core/errors.ts'
import { fragmentsOf } from './selections.ts'

/**
 * Limits on the shape of an operation. The cost of an operation is limited in cost.ts, because the cost also depends on
 * the variables.
 */
export const limits = {
  tokens: 1000,
  depth: 10,
  /** The introspection query of common tools has fourteen levels. */
  introspectionDepth: 16,
  /**
   * A list of types inside a list of types could nest without end. No tool needs more than two levels of such lists.
   */
  introspectionLists: 2,
  introspections: 3,
  rootFields: 20,
  /** The most aliases of one field in one selection set below the root. */
  aliases: 5,
  /** Counts fields. The fields of a fragment count each time that the fragment is spread. */
  selections: 5000,
  /** Limits how many fields with subfields have the same name, because validation compares all pairs of them. */
  repetitions: 50,
} as const

type Size = Record<
  | 'depth'
  | 'introspectionDepth'
  | 'lists'
  | 'introspectionLists'
  | 'introspections'
  | 'selections'
  | 'rootFields',
  number
>

const nothing: Size = {
  depth: 0,
  introspectionDepth: 0,
  lists: 0,
  introspectionLists: 0,
  introspections: 0,
  selections: 0,
  rootFields: 0,
}

const listsOfTypes: readonly string[] = ['fields', 'inputFields', 'interfaces', 'possibleTypes']

/**
 * Rejects a document by its shape, before validation. Measures each fragment once, so that a few hundred bytes of
 * nested fragments cannot cost much.
 */
export function refuseOversized(document: DocumentNode): void {
  const fragments = fragmentsOf(document)
  const measured = new Map<string, Size | 'being measured'>()
  const repetitions = new Map<string, number>()

  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) measureFragment(definition)
    if (definition.kind === Kind.OPERATION_DEFINITION) requireWithinLimits(measure(definition.selectionSet))
  }

  function measureFragment(fragment: FragmentDefinitionNode): Size {
    const name = fragment.name.value
    const known = measured.get(name)
    if (known === 'being measured') {
      throw new StoreError('operation_too_complex', `The fragment ${name} contains itself.`)
    }
    if (known) return known
    measured.set(name, 'being measured')
    const size = measure(fragment.selectionSet)
    measured.set(name, size)
    return size
  }

  function measure(set: SelectionSetNode): Size {
    const size = { ...nothing }
    for (const selection of set.selections) add(size, measureSelection(selection))
    return size
  }

  function measureSelection(selection: SelectionNode): Size {
    if (selection.kind === Kind.INLINE_FRAGMENT) return measure(selection.selectionSet)
    const name = selection.name.value
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = fragments.get(name)
      return fragment ? measureFragment(fragment) : nothing
    }
    const inner = selection.selectionSet ? measure(selection.selectionSet) : nothing
    if (selection.selectionSet) countRepetition(selection.alias?.value ?? name)
    const field = { ...inner, depth: 1 + inner.depth, selections: 1 + inner.selections, rootFields: 1 }
    if (listsOfTypes.includes(name)) field.lists += 1
    if (name !== '__schema' && name !== '__type') return field
    // Introspection has its own limits, which suit tools.
    return {
      ...field,
      depth: 1,
      introspectionDepth: field.depth,
      introspectionLists: field.lists,
      introspections: 1 + inner.introspections,
    }
  }

  function countRepetition(key: string): void {
    const count = (repetitions.get(key) ?? 0) + 1
    repetitions.set(key, count)
    refuseOver(`fields named ${key.slice(0, 50)}`, count, limits.repetitions)
  }
}

/** Adds a sibling to a size. Counts are summed; of two depths, the larger one is kept. */
function add(size: Size, more: Size): void {
  size.depth = Math.max(size.depth, more.depth)
  size.introspectionDepth = Math.max(size.introspectionDepth, more.introspectionDepth)
  size.lists = Math.max(size.lists, more.lists)
  size.introspectionLists = Math.max(size.introspectionLists, more.introspectionLists)
  size.introspections += more.introspections
  size.selections += more.selections
  size.rootFields += more.rootFields
}

function requireWithinLimits(size: Size): void {
  refuseOver('levels', size.depth, limits.depth)
  refuseOver('levels of introspection', size.introspectionDepth, limits.introspectionDepth)
  refuseOver("nested lists of the schema's types", size.introspectionLists, limits.introspectionLists)
  refuseOver('fields of introspection', size.introspections, limits.introspections)
  refuseOver('root fields', size.rootFields, limits.rootFields)
  refuseOver('fields', size.selections, limits.selections)
}

function refuseOver(what: string, actual: number, limit: number): void {
  if (actual <= limit) return
  throw new StoreError('operation_too_complex', `The operation has ${actual} ${what}; ${limit} are allowed.`)
}
