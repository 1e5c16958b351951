import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { StoreError } from '../core/errors.ts'
import { fragmentsOf } from './selections.ts'

/** What an operation may look like. The cost, which depends on variables too, is judged in cost.ts. */
export const limits = {
  tokens: 1000,
  depth: 10,
  /** The introspection query of every tool looks fourteen levels into the schema. */
  introspectionDepth: 16,
  /** From a type's fields to their types' fields and so on leads round in circles; no tool asks for it. */
  introspectionLists: 2,
  introspections: 3,
  rootFields: 20,
  /** Names under which a field may stand in one place below the root. */
  aliases: 5,
  /** Fields after opening all fragments, however often each is spread. */
  selections: 5000,
  /** Validation compares every two fields of one name that have fields of their own. */
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
 * Refuses a document by its mere shape, before validation sees it. Each fragment is measured once, so that a
 * few hundred bytes of nested fragments cannot cost more than they weigh.
 */
export function refuseOversized(document: DocumentNode): void {
  const fragments = fragmentsOf(document)
  const measured = new Map<string, Size | 'being measured'>()
  const repetitions = new Map<string, number>()

  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) measureFragment(definition)
    if (definition.kind === Kind.OPERATION_DEFINITION) judge(measure(definition.selectionSet))
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
    // What looks into the schema is measured by what tools need there and not by what the store's data needs.
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

/** What stands side by side: counts add up, depths do not. */
function add(size: Size, more: Size): void {
  size.depth = Math.max(size.depth, more.depth)
  size.introspectionDepth = Math.max(size.introspectionDepth, more.introspectionDepth)
  size.lists = Math.max(size.lists, more.lists)
  size.introspectionLists = Math.max(size.introspectionLists, more.introspectionLists)
  size.introspections += more.introspections
  size.selections += more.selections
  size.rootFields += more.rootFields
}

function judge(size: Size): void {
  refuseOver('levels deep', size.depth, limits.depth)
  refuseOver('levels deep into the schema', size.introspectionDepth, limits.introspectionDepth)
  refuseOver("nested lists of the schema's types", size.introspectionLists, limits.introspectionLists)
  refuseOver('looks at the schema', size.introspections, limits.introspections)
  refuseOver('root fields', size.rootFields, limits.rootFields)
  refuseOver('fields', size.selections, limits.selections)
}

function refuseOver(what: string, actual: number, limit: number): void {
  if (actual <= limit) return
  throw new StoreError('operation_too_complex', `The operation has ${actual} ${what}; ${limit} are allowed.`)
}
