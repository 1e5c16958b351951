import {
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

/** The costs of a field as schema.graphql declares them, and the lengths of introspection's lists. */
export type DeclaredCosts = {
  listSize(field: Field): ListSize | undefined
  work(field: Field): Work
  /** Names of all arguments that limit a list. */
  slicingArguments: ReadonlySet<string>
  /**
   * Returns the number of items to charge for a field of introspection. For a list, this is the length of the longest such
   * list in the schema. `ofType` is a single value that is null for most types, so it counts as less than one.
   */
  introspectionItems(name: string): number
  /**
   * Returns the average lengths of the lists inside an introspection list, for example of `fields` inside `types`.
   * `lists` has the lengths of the enclosing lists.
   */
  introspectionLists(name: string, lists: Lengths): Lengths
}

/** Number of items by name of the list. */
export type Lengths = ReadonlyMap<string, number>
type ListSize = { assumedSize?: number; slicingArguments?: string[]; sizedFields?: string[] }
/** Arguments of `@work`. */
export type Work = {
  statements: number
  reads: string[]
  row: number
  units: number
  itemUnits: number
  items: string[]
}

const noWork: Work = { statements: 0, reads: [], row: 0, units: 0, itemUnits: 0, items: [] }

export function readDeclaredCosts(schema: GraphQLSchema): DeclaredCosts {
  const listSizes = new Map<Field, ListSize>()
  const works = new Map<Field, Work>()
  const types = Object.values(schema.getTypeMap())
  const [listSize, work] = [schema.getDirective('listSize'), schema.getDirective('work')]
  if (!listSize || !work) throw new Error('schema.graphql declares no @listSize or no @work')

  for (const type of types.filter(isObjectType)) {
    for (const field of Object.values(type.getFields())) {
      const sized = field.astNode && getDirectiveValues(listSize, field.astNode)
      if (sized) listSizes.set(field, sized)
      const worked = field.astNode && getDirectiveValues(work, field.astNode)
      if (worked) works.set(field, worked as Work)
    }
  }

  const ofType = {
    fields: types.map(type => (isOfFields(type) ? Object.keys(type.getFields()).length : 0)),
    inputFields: types.map(type => (isInputObjectType(type) ? Object.keys(type.getFields()).length : 0)),
    enumValues: types.map(type => (isEnumType(type) ? type.getValues().length : 0)),
    interfaces: types.map(type => (isOfFields(type) ? type.getInterfaces().length : 0)),
    possibleTypes: types.map(type => (isAbstractType(type) ? schema.getPossibleTypes(type).length : 0)),
  }
  const fields = types.filter(isOfFields).flatMap(type => Object.values(type.getFields()))
  const args = fields.map(field => field.args.length)
  const most: Record<string, number> = {
    ...mapValues({ ...ofType, args }, lengths => Math.max(...lengths)),
    types: types.length,
    directives: schema.getDirectives().length,
    locations: 4,
    // The share of type references in the schema that are wrapped, as in String! or [Pet!]!. Only wrapped references
    // have an `ofType`.
    ofType: 0.67,
  }
  const averages: Lengths = new Map(Object.entries(mapValues(ofType, average)))
  const averageArgs: Lengths = new Map([['args', average(args)]])
  return {
    listSize: field => listSizes.get(field),
    work: field => works.get(field) ?? noWork,
    slicingArguments: new Set([...listSizes.values()].flatMap(size => size.slicingArguments ?? [])),
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
