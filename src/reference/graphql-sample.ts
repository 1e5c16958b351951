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
      Object.fromEntries(
        needed.map(argument => [argument.name, argument.name === 'id' ? idFor(field) : exampleOf(argument)]),
      ),
      null,
      2,
    ),
  }
}

/** Returns an example id. The field's name tells of what kind. */
function idFor(field: string): string {
  const kind = ['order', 'key', 'domain', 'category'].find(one => field.toLowerCase().includes(one))
  return kind ? `${kind}_12` : '12'
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

function exampleOf({ name, type }: GraphQLArgument | GraphQLInputField): unknown {
  return examples[name] ?? exampleOfType(name, type)
}

function exampleOfType(name: string, type: GraphQLInputType): unknown {
  const bare = getNullableType(type)
  if (isListType(bare)) return [exampleOfType(name, bare.ofType)]
  if (isEnumType(bare)) return bare.getValues()[0]?.name
  if (isInputObjectType(bare)) {
    const fields = Object.values(bare.getFields())
    const needed = fields.filter(field => isNonNullType(field.type))
    // If an input has no required fields, use its first field.
    const given = needed.length > 0 ? needed : fields.slice(0, 1)
    return Object.fromEntries(given.map(field => [field.name, exampleOf(field)]))
  }
  return { Int: 1, Float: 1, Boolean: true, ID: '1' }[String(bare)] ?? name
}
