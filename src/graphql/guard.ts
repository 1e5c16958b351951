import { type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql'
import { StoreError } from '../core/errors.ts'
import { fragmentsOf } from './selections.ts'

/** What an operation may look like. The cost, which depends on variables too, is judged in cost.ts. */
export const limits = {
  tokens: 1000,
  depth: 10,
  /** The introspection query of every tool looks fourteen levels into the schema. */
  introspectionDepth: 16,
  rootFields: 20,
  /** Fields after opening all fragments, however often each is spread. */
  selections: 5000,
  /** Validation compares every two fields of one name that have fields of their own. */
  repetitions: 50,
} as const

type Size = { depth: number; introspectionDepth: number; selections: number; rootFields: number }

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
    if (known === 'being measured')
      throw new StoreError('malformed_request', `The fragment ${name} contains itself.`)
    if (known) return known
    measured.set(name, 'being measured')
    const size = measure(fragment.selectionSet)
    measured.set(name, size)
    return size
  }

  function measure(set: SelectionSetNode): Size {
    const size: Size = { depth: 0, introspectionDepth: 0, selections: 0, rootFields: 0 }
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const inner = selection.selectionSet ? measure(selection.selectionSet) : null
        if (inner) countRepetition(selection.alias?.value ?? selection.name.value)
        const looksIntoSchema = selection.name.value === '__schema' || selection.name.value === '__type'
        const depth = 1 + (inner?.depth ?? 0)
        if (!looksIntoSchema) size.depth = Math.max(size.depth, depth)
        size.introspectionDepth = Math.max(
          size.introspectionDepth,
          looksIntoSchema ? depth : (inner?.introspectionDepth ?? 0),
        )
        size.selections += 1 + (inner?.selections ?? 0)
        size.rootFields += 1
        continue
      }
      const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : null
      const inner =
        selection.kind === Kind.INLINE_FRAGMENT
          ? measure(selection.selectionSet)
          : fragment && measureFragment(fragment)
      if (!inner) continue
      size.depth = Math.max(size.depth, inner.depth)
      size.introspectionDepth = Math.max(size.introspectionDepth, inner.introspectionDepth)
      size.selections += inner.selections
      size.rootFields += inner.rootFields
    }
    return size
  }

  function countRepetition(key: string): void {
    const count = (repetitions.get(key) ?? 0) + 1
    repetitions.set(key, count)
    refuseOver(`fields named ${key.slice(0, 50)}`, count, limits.repetitions)
  }
}

function judge(size: Size): void {
  refuseOver('levels deep', size.depth, limits.depth)
  refuseOver('levels deep into the schema', size.introspectionDepth, limits.introspectionDepth)
  refuseOver('root fields', size.rootFields, limits.rootFields)
  refuseOver('fields', size.selections, limits.selections)
}

function refuseOver(what: string, actual: number, limit: number): void {
  if (actual <= limit) return
  throw new StoreError('operation_too_complex', `The operation has ${actual} ${what}; ${limit} are allowed.`)
}
