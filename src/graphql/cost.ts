import {
  type FieldNode,
  type GraphQLOutputType,
  type GraphQLSchema,
  getArgumentValues,
  isEnumType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql'
import { StoreError } from '../core/errors.ts'
import { collectFields, dependsOnVariables, type Fragments, type Variables } from './selections.ts'
import { type Field, type Lengths, readSizes } from './sizes.ts'

/** The cost of an operation is the most bytes that its answer can take, and no answer is longer than this. */
export const maxCost = 1_000_000

/** No list of the schema is longer, whatever its arguments say: the core refuses more. */
const mostItems = 100

const scalarBytes: Record<string, number> = { ID: 50, Int: 11, Float: 24, Boolean: 5, DateTime: 26, Date: 12 }

export type CostOf = (
  operation: OperationDefinitionNode,
  fragments: Fragments,
  variables: () => Variables,
) => number

/** List-aware and byte-true: nested lists multiply, long texts weigh what they are, and aliases what they add. */
export function openCost(schema: GraphQLSchema): CostOf {
  const sizes = readSizes(schema)
  /** Of operations that cost the same whatever their variables are: to reckon it anew is a twentieth of a creation. */
  const constant = new WeakMap<OperationDefinitionNode, number>()

  return (operation, fragments, variables) => {
    const known = constant.get(operation)
    if (known !== undefined) return known
    const cost = reckon(operation, fragments, variables())
    // Only the arguments that tell how long a list is, and conditions, make an answer longer or shorter.
    const depends = dependsOnVariables(operation, fragments, name => sizes.slicingArguments.has(name))
    if (!depends) constant.set(operation, cost)
    return cost
  }

  function reckon(operation: OperationDefinitionNode, fragments: Fragments, variables: Variables): number {
    const root = schema.getRootType(operation.operation)
    return root ? objectBytes(root, [operation.selectionSet], new Map()) : 0

    /** `lists` holds the lengths that the field above has given to lists among these fields. */
    function objectBytes(type: GraphQLOutputType, sets: readonly SelectionSetNode[], lists: Lengths): number {
      // Of an interface it is the largest of those that may stand there.
      if (isInterfaceType(type)) {
        return Math.max(...schema.getPossibleTypes(type).map(each => objectBytes(each, sets, lists)))
      }
      let bytes = 2
      const own = isObjectType(type) ? type : undefined
      for (const [key, nodes] of collectFields(sets, fragments, variables, own)) {
        bytes += Buffer.byteLength(key) + 4 + fieldBytes(type, nodes, lists)
      }
      return bytes
    }

    function fieldBytes(parent: GraphQLOutputType, nodes: FieldNode[], lists: Lengths): number {
      const [node] = nodes
      const field = node && findField(schema, parent, node.name.value)
      if (!field) return 0
      // Clients that keep answers ask for it at every level, and it is no longer than the type's name.
      if (field === TypeNameMetaFieldDef) return 2 + String(parent).length
      const own = listLengths(field, node, variables) ?? sizes.introspectionLists(field.name, lists)
      const sets = nodes.flatMap(each => each.selectionSet ?? [])
      const items = lists.get(field.name) ?? own.get(field.name) ?? sizes.introspectionItems(field.name)
      return valueBytes(field.type)

      function valueBytes(of: GraphQLOutputType): number {
        if (isNonNullType(of)) return valueBytes(of.ofType)
        if (isListType(of)) return 2 + Math.ceil(items * (1 + valueBytes(of.ofType)))
        if (isObjectType(of) || isInterfaceType(of))
          return Math.ceil((field?.name === 'ofType' ? items : 1) * objectBytes(of, sets, own))
        if (isEnumType(of)) return 2 + Math.max(...of.getValues().map(value => value.name.length))
        return scalarBytes[of.name] ?? (field ? sizes.stringBytes(field) : 0)
      }
    }
  }

  function listLengths(field: Field, node: FieldNode, variables: Variables): Lengths | undefined {
    const listSize = sizes.listSize(field)
    if (!listSize) return undefined
    const { assumedSize = mostItems, slicingArguments = [], sizedFields = [field.name] } = listSize
    const asked = slicingArguments.map(name => argumentsOf(field, node, variables)[name])
    const lengths = asked.map(length =>
      typeof length === 'number' ? Math.min(Math.max(length, 1), mostItems) : mostItems,
    )
    const items = slicingArguments.length > 0 ? Math.max(...lengths) : assumedSize
    return new Map(sizedFields.map(name => [name, items]))
  }
}

export function refuseCostly(cost: number): void {
  if (cost <= maxCost) return
  throw new StoreError(
    'operation_too_complex',
    `The answer could take ${cost} bytes; ${maxCost} are allowed. Ask for shorter pages or fewer fields.`,
  )
}

/** Arguments that execution is going to refuse say nothing about the size. */
function argumentsOf(field: Field, node: FieldNode, variables: Variables): Record<string, unknown> {
  try {
    return getArgumentValues(field, node, variables)
  } catch {
    return {}
  }
}

function findField(schema: GraphQLSchema, parent: GraphQLOutputType, name: string): Field | undefined {
  if (name === '__typename') return TypeNameMetaFieldDef
  if (!isObjectType(parent)) return undefined
  if (parent === schema.getQueryType() && name === '__schema') return SchemaMetaFieldDef
  if (parent === schema.getQueryType() && name === '__type') return TypeMetaFieldDef
  return parent.getFields()[name]
}
