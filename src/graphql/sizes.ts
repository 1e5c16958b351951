import {
  type GraphQLDirective,
  type GraphQLField,
  type GraphQLSchema,
  getDirectiveValues,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql'

export type Field = GraphQLField<unknown, unknown>

/** How long lists and strings get, as schema.graphql declares it and, for introspection, as the schema itself is. */
export type Sizes = {
  listSize(field: Field): ListSize | undefined
  stringBytes(field: Field): number
  /** Items of an introspection list on average over the schema; a fraction where a value is often absent. */
  introspectionItems(name: string): number
}

type ListSize = { assumedSize?: number; slicingArguments?: string[]; sizedFields?: string[] }

const undeclaredStringBytes = 300
const introspectionStringBytes = 90

export function readSizes(schema: GraphQLSchema): Sizes {
  const listSizes = new Map<Field, ListSize>()
  const stringSizes = new Map<Field, number>()
  const count = { types: 0, fields: 0, args: 0, inputFields: 0, enumValues: 0 }

  for (const type of Object.values(schema.getTypeMap())) {
    count.types += 1
    if (isEnumType(type)) count.enumValues += type.getValues().length
    if (isInputObjectType(type)) count.inputFields += Object.keys(type.getFields()).length
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      count.fields += 1
      count.args += field.args.length
      const listSize = declared(schema.getDirective('listSize'), field)
      if (listSize) listSizes.set(field, listSize)
      const maxBytes = declared(schema.getDirective('maxBytes'), field)
      if (maxBytes) stringSizes.set(field, Number(maxBytes.value))
      else if (type.name.startsWith('__')) stringSizes.set(field, introspectionStringBytes)
    }
  }

  const perType = (total: number) => total / count.types
  const introspection: Record<string, number> = {
    types: count.types,
    fields: perType(count.fields),
    inputFields: perType(count.inputFields),
    enumValues: perType(count.enumValues),
    args: count.args / count.fields,
    directives: schema.getDirectives().length,
    locations: 4,
    // Nothing implements anything here, so these two stay null.
    interfaces: 0,
    possibleTypes: 0,
    // Two of three types in the schema's places are wrapped, as in String! or [Pet!]!.
    ofType: 0.67,
  }
  return {
    listSize: field => listSizes.get(field),
    stringBytes: field => stringSizes.get(field) ?? undeclaredStringBytes,
    introspectionItems: name => introspection[name] ?? 1,
  }
}

function declared(
  directive: GraphQLDirective | null | undefined,
  field: Field,
): Record<string, unknown> | undefined {
  return directive && field.astNode ? getDirectiveValues(directive, field.astNode) : undefined
}
