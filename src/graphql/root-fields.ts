import type { GraphQLSchema, OperationDefinitionNode } from 'graphql'
import { type Bill, billOf } from './charge.ts'
import { collectFields, dependsOnVariables, type Fragments, type Variables } from './selections.ts'

/** The root fields of an operation, and what they cost. */
export type Root = { names: readonly string[]; bill: Bill }

/** Reads once what no variable can change: to read that anew is a twentieth of a creation. */
export function openRootReader(schema: GraphQLSchema) {
  const constant = new WeakMap<OperationDefinitionNode, Root>()

  return (operation: OperationDefinitionNode, fragments: Fragments, variables: () => Variables): Root => {
    const known = constant.get(operation)
    if (known) return known
    const root = readRoot(operation, fragments, variables())
    // Of a node it is its id that tells what it costs.
    if (!dependsOnVariables(operation, fragments, name => name === 'id')) constant.set(operation, root)
    return root
  }

  function readRoot(operation: OperationDefinitionNode, fragments: Fragments, variables: Variables): Root {
    const fields = collectFields([operation.selectionSet], fragments, variables)
    const names = [...fields.values()].map(([node]) => node?.name.value ?? '')
    return { names, bill: billOf(schema, fields, fragments, variables) }
  }
}
