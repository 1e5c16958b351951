import {
  type GraphQLDirective,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getDirectiveValues,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql'

export type Field = GraphQLField<unknown, unknown>

/** How long lists and strings get, as schema.graphql declares it and, for introspection, as the schema itself is. */
export type Sizes = {
  listSize(field: Field): ListSize | undefined
  /** The names of all arguments that tell how long a list is. */
  slicingArguments: ReadonlySet<string>
  stringBytes(field: Field): number
  /** The most items of an introspection list; a fraction where a value is often absent. */
  introspectionItems(name: string): number
  /** How long the lists of all types together are on average, for which `lists` speaks one level further. */
  introspectionLists(name: string, lists: Lengths): Lengths
}

/** Items by the name of a list. */
export type Lengths = ReadonlyMap<string, number>

type ListSize = { assumedSize?: number; slicingArguments?: string[]; sizedFields?: string[] }

const undeclaredStringBytes = 300
const introspectionStringBytes = 90

export function readSizes(schema: GraphQLSchema): Sizes {
  const listSizes = new Map<Field, ListSize>()
  const stringSizes = new Map<Field, number>()
  const types = Object.values(schema.getTypeMap())
  const fields = types.filter(isOfFields).flatMap(type => Object.values(type.getFields()))

  for (const type of types) {
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      const listSize = declared(schema.getDirective('listSize'), field)
      if (listSize) listSizes.set(field, listSize)
      const maxBytes = declared(schema.getDirective('maxBytes'), field)
      if (maxBytes) stringSizes.set(field, Number(maxBytes.value))
      else if (type.name.startsWith('__')) stringSizes.set(field, introspectionStringBytes)
    }
  }

  const ofType = {
    fields: types.map(type => (isOfFields(type) ? Object.keys(type.getFields()).length : 0)),
    inputFields: types.map(type => (isInputObjectType(type) ? Object.keys(type.getFields()).length : 0)),
    enumValues: types.map(type => (isEnumType(type) ? type.getValues().length : 0)),
    interfaces: types.map(type => (isOfFields(type) ? type.getInterfaces().length : 0)),
    possibleTypes: types.map(type => (isAbstractType(type) ? schema.getPossibleTypes(type).length : 0)),
  }
  const args = fields.map(field => field.args.length)
  const most: Record<string, number> = {
    ...mapValues({ ...ofType, args }, lengths => Math.max(...lengths)),
    types: types.length,
    directives: schema.getDirectives().length,
    locations: 4,
    // Two of three types in the schema's places are wrapped, as in String! or [Pet!]!.
    ofType: 0.67,
  }
  const averages: Lengths = new Map(Object.entries(mapValues(ofType, average)))
  const averageArgs: Lengths = new Map([['args', average(args)]])
  return {
    listSize: field => listSizes.get(field),
    slicingArguments: new Set([...listSizes.values()].flatMap(size => size.slicingArguments ?? [])),
    stringBytes: field => stringSizes.get(field) ?? undeclaredStringBytes,
    introspectionItems: name => most[name] ?? 1,
    introspectionLists(name, lists) {
      if (name === 'types') return averages
      return name === 'fields' && lists.has(name) ? averageArgs : nothing
    },
  }
}

const nothing: Lengths = new Map()

const isOfFields = (type: GraphQLNamedType) => isObjectType(type) || isInterfaceType(type)

const average = (lengths: readonly number[]) =>
  lengths.reduce((sum, length) => sum + length, 0) / lengths.length

function mapValues(
  lists: Record<string, readonly number[]>,
  say: (lengths: readonly number[]) => number,
): Record<string, number> {
  return Object.fromEntries(Object.entries(lists).map(([name, lengths]) => [name, say(lengths)]))
}

function declared(
  directive: GraphQLDirective | null | undefined,
  field: Field,
): Record<string, unknown> | undefined {
  return directive && field.astNode ? getDirectiveValues(directive, field.astNode) : undefined
}
