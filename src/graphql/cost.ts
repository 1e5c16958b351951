import {
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
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
import { argumentsOf, lengthsOf } from './arguments.ts'
import { freeFields, isOfPlan, personFields, projectFields, schemaFields, storeFields } from './budgets.ts'
import { type Field, type Lengths, readDeclaredCosts } from './declared-costs.ts'
import { isOfStore, typeOfId } from './ids.ts'
import { maxUnits, type OperationPrice, requestsFor, units } from './prices.ts'
import { collectFields, dependsOnVariables, type Fragments, type Variables } from './selections.ts'
import { limits } from './shape-limits.ts'

/** A field whose arguments and scope are checked once, before the operation runs. */
export type FieldToCheck = { name: string; field: Field; node: FieldNode; path: readonly string[] }

export type Cost = {
  /** Names of the root fields, one per response key. */
  names: readonly string[]
  units: number
  price: OperationPrice
  toCheck: readonly FieldToCheck[]
}

export type CostOf = (
  operation: OperationDefinitionNode,
  fragments: Fragments,
  variables: () => Variables,
) => Cost

/** The objects for which a selection is resolved. */
type Parents = {
  count: number
  /** List lengths that the enclosing fields have set. */
  lists: Lengths
  path: readonly string[]
  /** True if the parent is a `Project` whose list fields are charged separately, as if each list were a root field. */
  chargesLists?: boolean
}

const noLengths: Lengths = new Map()

/** Computes an operation's cost from its text and variables. `isChecked` selects the fields to check before it runs. */
export function openCost(schema: GraphQLSchema, isChecked: (name: string) => boolean): CostOf {
  const sizes = readDeclaredCosts(schema)
  /** Caches costs that no variable can change. */
  const constant = new WeakMap<OperationDefinitionNode, Cost>()

  return (operation, fragments, variables) => {
    const known = constant.get(operation)
    if (known) return known
    const cost = compute(operation, fragments, variables())
    const matters = (name: string) => name === 'id' || sizes.slicingArguments.has(name)
    if (!dependsOnVariables(operation, fragments, matters)) constant.set(operation, cost)
    return cost
  }

  function compute(operation: OperationDefinitionNode, fragments: Fragments, variables: Variables): Cost {
    const root = schema.getRootType(operation.operation)
    const names: string[] = []
    const toCheck: FieldToCheck[] = []
    const spent = { store: 0, management: 0, free: 0, all: 0 }
    if (root) {
      for (const [key, nodes] of fieldsOf(root, [operation.selectionSet])) {
        const [node] = nodes as [FieldNode]
        names.push(node.name.value)
        const parents = { count: 1, lists: noLengths, path: [] }
        charge(budgetOf(node), alone(root, key, nodes, parents))
      }
    }
    return { names, units: Math.ceil(spent.all), price: sumPrice(), toCheck }

    function charge(budget: 'store' | 'management' | 'free', own: number): void {
      spent.all += own
      spent[budget] += budget === 'free' ? own : requestsFor(own)
    }

    function sumPrice(): OperationPrice {
      const beyondFree = spent.free === 0 ? 0 : requestsFor(spent.free) - 1
      const management = spent.management + beyondFree
      if (names.every(name => schemaFields.includes(name)))
        return { storeRequests: 0, managementRequests: Math.max(1, management), only: 'schema' }
      const areAll = (fields: readonly string[]) => names.every(name => fields.includes(name))
      const only = areAll(freeFields) ? 'rateLimit' : areAll(personFields) ? 'person' : null
      return { storeRequests: spent.store, managementRequests: management, only }
    }

    function budgetOf(node: FieldNode) {
      const name = node.name.value
      if (freeFields.includes(name)) return 'free'
      const isStore = name === 'node' ? isOfStore(idOf(node)) : storeFields.has(name)
      return isStore ? 'store' : 'management'
    }

    function idOf(node: FieldNode): string {
      const field = root?.getFields().node
      return String((field && argumentsOf(field, node, variables).id) ?? '')
    }

    function fieldsOf(type: GraphQLObjectType, sets: readonly SelectionSetNode[]) {
      return collectFields(sets, fragments, variables, type)
    }

    /** Returns the units of a field and of the field's own statements, without the fields selected in it. */
    function alone(type: GraphQLObjectType, key: string, nodes: FieldNode[], parents: Parents): number {
      const reads = new Set<string>()
      return fieldUnits(type, key, nodes, parents, reads) + reads.size * units.statement
    }

    function selectionUnits(
      type: GraphQLObjectType,
      sets: readonly SelectionSetNode[],
      parents: Parents,
    ): number {
      const reads = new Set<string>()
      const spellings = new Map<string, number>()
      let sum = 0
      for (const [key, nodes] of fieldsOf(type, sets)) {
        const name = nodes[0]?.name.value ?? ''
        const count = (spellings.get(name) ?? 0) + 1
        spellings.set(name, count)
        if (count > limits.aliases) throw tooManyAliases(name)
        if (parents.chargesLists && projectFields.includes(name))
          charge(isOfPlan(name) ? 'store' : 'management', alone(type, key, nodes, parents))
        else sum += fieldUnits(type, key, nodes, parents, reads)
      }
      return sum + reads.size * units.statement
    }

    function fieldUnits(
      type: GraphQLObjectType,
      key: string,
      nodes: FieldNode[],
      { count, lists, path }: Parents,
      reads: Set<string>,
    ): number {
      const [node] = nodes as [FieldNode]
      const field = findField(schema, type, node.name.value)
      if (!field) return 0
      const below = [...path, key]
      const name = `${type.name}.${field.name}`
      if (isChecked(name)) toCheck.push({ name, field, node, path: below })
      const work = sizes.work(field)
      for (const read of work.reads) reads.add(read)
      const declared = lengthsOf(sizes.listSize(field), field, node, variables)
      const rows =
        work.statements + work.reads.length === 0 ? 0 : 1 + (declared ? Math.max(...declared.values()) : 0)
      const besides = Math.max(0, ...work.items.map(list => lists.get(list) ?? 0)) * work.itemUnits
      const each =
        work.units +
        besides +
        work.statements * units.statement +
        work.reads.length * units.load +
        rows * work.row
      const items = declared?.get(field.name) ?? lists.get(field.name) ?? sizes.introspectionItems(field.name)
      return count * each + valueUnits(field.type, count)

      function valueUnits(of: GraphQLOutputType, values: number): number {
        if (isNonNullType(of)) return valueUnits(of.ofType, values)
        if (isListType(of)) return valueUnits(of.ofType, values * items)
        if (isInterfaceType(of)) {
          const found = schema.getType(typeOfId(idOf(node)) ?? '')
          return isObjectType(found) ? objectUnits(found, values) : units.leaf
        }
        if (isObjectType(of)) return objectUnits(of, values)
        return values * (of.name === 'DateTime' ? units.date : units.leaf)
      }

      function objectUnits(of: GraphQLObjectType, values: number): number {
        const made = field?.name === 'ofType' ? values * items : values
        const price = of.name.endsWith('Connection') ? units.connection : units.object
        const sets = nodes.flatMap(each => each.selectionSet ?? [])
        const parents = { count: made, lists: listsBelow(), path: below, chargesLists: hasPricedLists(of) }
        return made * price + selectionUnits(of, sets, parents)
      }

      function listsBelow(): Lengths {
        if (declared) return new Map([...lists, ...declared])
        const isSchema = type.name.startsWith('__') || field?.name.startsWith('__')
        return isSchema && field ? sizes.introspectionLists(field.name, lists) : lists
      }

      function hasPricedLists(of: GraphQLObjectType): boolean {
        if (of.name !== 'Project') return false
        // In a mutation, the lists of every `Project` in the answer are charged separately. In a query, only the lists
        // of a `Project` that the root field `project` or the root field `node` returns are charged separately.
        return (
          root === schema.getMutationType() ||
          (type === root && ['project', 'node'].includes(node.name.value))
        )
      }
    }
  }
}

export function refuseCostly({ units: spent }: Cost): void {
  if (spent <= maxUnits) return
  throw new StoreError(
    'operation_too_complex',
    `The operation costs ${spent} units of work; ${maxUnits} are allowed. Ask for shorter pages or fewer fields.`,
  )
}

const tooManyAliases = (name: string) =>
  new StoreError(
    'operation_too_complex',
    `The operation uses more than ${limits.aliases} aliases for ${name} in one place; ${limits.aliases} are allowed.`,
  )

function findField(schema: GraphQLSchema, parent: GraphQLObjectType, name: string): Field | undefined {
  if (name === '__typename') return TypeNameMetaFieldDef
  if (parent === schema.getQueryType() && name === '__schema') return SchemaMetaFieldDef
  if (parent === schema.getQueryType() && name === '__type') return TypeMetaFieldDef
  return parent.getFields()[name]
}
