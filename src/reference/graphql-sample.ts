import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { readSchema } from './graphql-schema.ts'

/** Deeper fields are omitted. */
const deepest = 3

/**
 * Writes an operation for a root field, with required arguments as variables and a few levels of the answer's fields.
 */
export function graphqlSample(root: string, field: string): { document: string; variables: string } {
  const type = root === 'Mutation' ? readSchema().getMutationType() : readSchema().getQueryType()
  const found = type?.getFields()[field]
  if (!found) throw new Error(`schema.graphql has no ${root}.${field}.`)
  const needed = found.args.filter(({ type }) => isNonNullType(type))
  const declared = needed.map(({ name, type }) => `$${name}: ${type}`).join(', ')
  const given = needed.map(({ name }) => `${name}: $${name}`).join(', ')
  const head = `${root.toLowerCase()}${declared && ` ${capital(field)}(${declared})`}`
  const selection = select(found.type, 1)
  return {
    document: `${head} {\n  ${field}${given && `(${given})`}${selection}\n}`,
    variables: JSON.stringify(
      Object.fromEntries(needed.map(argument => [argument.name, exampleOf(argument, field)])),
      null,
      2,
    ),
  }
}

/** Returns an example id of the kind that the field's name contains. */
function idFor(field: string): string {
  const ids = { order: 'order_12', key: 'key_12', domain: 'domain_12', category: 'category_7' }
  const all = { ...ids, deploy: 'deploy_12', project: 'project_demo', pet: '1' }
  return Object.entries(all).find(([kind]) => field.toLowerCase().includes(kind))?.[1] ?? '12'
}

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

function select(type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type)
  if (isInterfaceType(named)) return ' { id }'
  if (!isObjectType(named)) return ''
  const lines = Object.values(named.getFields())
    .filter(field => isShown(field, named.name, depth))
    .map(field => `${'  '.repeat(depth + 1)}${field.name}${select(field.type, depth + 1)}`)
  return ` {\n${lines.join('\n')}\n${'  '.repeat(depth)}}`
}

/** Hides `edges`, which repeat `nodes`, and fields that lead back to whole lists. */
function isShown(
  { name, type, args, deprecationReason }: GraphQLField<unknown, unknown>,
  of: string,
  depth: number,
): boolean {
  const named = getNamedType(type)
  if (deprecationReason || (of.endsWith('Connection') && name === 'edges')) return false
  if (!isObjectType(named)) return !args.some(argument => isNonNullType(argument.type))
  return args.length === 0 && depth < deepest && !named.name.endsWith('Connection')
}

const examples: Record<string, unknown> = {
  name: 'Biscuit',
  categoryId: '7',
  petId: '1',
  first: 3,
  project: 'demo',
  plan: 'pro',
  to: 'deploy_1',
  slug: 'acme',
}

function exampleOf({ name, type }: GraphQLArgument | GraphQLInputField, field: string): unknown {
  return name === 'id' ? idFor(field) : (examples[name] ?? exampleOfType(name, type, field))
}

/** Optional fields of inputs that a sample shows. */
const shownFields = ['ids', 'name', 'title']

function exampleOfType(name: string, type: GraphQLInputType, root: string): unknown {
  const bare = getNullableType(type)
  if (isListType(bare)) return [exampleOfType(name, bare.ofType, root)]
  if (isEnumType(bare)) return bare.getValues()[0]?.name
  if (isInputObjectType(bare)) {
    const fields = Object.values(bare.getFields())
    const needed = fields.filter(field => isNonNullType(field.type) || shownFields.includes(field.name))
    // If an input has no such fields, use its first field.
    const given = needed.length > 0 ? needed : fields.slice(0, 1)
    return Object.fromEntries(given.map(field => [field.name, exampleOf(field, root)]))
  }
  return { Int: 1, Float: 1, Boolean: true, ID: '1' }[String(bare)] ?? name
}
