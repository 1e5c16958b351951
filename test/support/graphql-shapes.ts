import { readFileSync } from 'node:fs'
import {
  buildSchema,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'

/** An operation in which all lists have the length `first`. */
export type Shape = { name: string; query: (first: number) => string }
type Field = GraphQLField<unknown, unknown>

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'), { assumeValid: true })
/** The service refuses more aliases of one field than this. */
const mostNames = 5
const mostLevels = 10
/**
 * Fields of a project that list the pets, categories and orders of its store. `fieldsOfProjects` leaves these fields
 * out.
 */
const ofStore = ['pets', 'categories', 'orders']

const fieldsOf = (type: GraphQLObjectType): Field[] => Object.values(type.getFields())
const typeOf = (field: Field) => {
  const type = getNamedType(field.type)
  return isObjectType(type) ? type : null
}
const isLeaf = (field: Field) => isLeafType(getNamedType(field.type))
const isAskable = (field: Field) => !field.args.some(isRequiredArgument)
const isPage = (type: GraphQLObjectType) => type.name.endsWith('Connection')
const times = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => text(n)).join(' ')

/**
 * Writes a field. If the field has the argument `first` or `days`, the argument gets the lower of `first` and the
 * field's maximum, minus `less`, but at least 1.
 */
function spell(field: Field, first: number, less = 0): string {
  const slicing = ['first', 'days'].find(name => field.args.some(arg => arg.name === name))
  if (!slicing) return field.name
  const most = ['domains', 'deploys'].includes(field.name) ? 50 : slicing === 'days' ? 90 : 100
  return `${field.name}(${slicing}: ${Math.max(1, Math.min(first, most) - less)})`
}

/** All leaves of a type, each under this many aliases. */
function leaves(type: GraphQLObjectType, names = 1): string {
  const found = fieldsOf(type).filter(field => isLeaf(field) && isAskable(field))
  return times(names, n => found.map(({ name }) => (n === 0 ? name : `${name}${n}: ${name}`)).join(' '))
}

/** Returns the selection set below a field. */
function filled(type: GraphQLObjectType | null): string {
  if (!type) return ''
  if (!isPage(type)) return `{ __typename ${leaves(type)} }`
  const node = typeOf(type.getFields().nodes as Field)
  return `{ nodes { ${node ? leaves(node) : ''} } edges { cursor } pageInfo { endCursor } }`
}

type Way = { fields: Field[]; type: GraphQLObjectType }

/** Yields every path of fields from a root field to an object. A path contains each type at most twice. */
function* ways(type: GraphQLObjectType, fields: Field[] = []): Generator<Way> {
  for (const field of fieldsOf(type)) {
    const next = typeOf(field)
    if (!next || !isAskable(field) || fields.length + 3 > mostLevels) continue
    const way = [...fields, field]
    if (way.filter(each => typeOf(each) === next).length > 2) continue
    if (!isPage(next)) yield { fields: way, type: next }
    yield* ways(next, way)
  }
}

function selections(type: GraphQLObjectType): [name: string, select: (first: number) => string][] {
  const each = fieldsOf(type).filter(isAskable)
  return [
    ['all leaves', () => leaves(type)],
    [`all leaves ${mostNames} times`, () => leaves(type, mostNames)],
    ...each.flatMap(field => {
      const inner = filled(typeOf(field))
      const alone: [string, (first: number) => string] = [
        field.name,
        first => `${spell(field, first)} ${inner}`,
      ]
      const differing: [string, (first: number) => string] = [
        `${mostNames} times ${field.name}`,
        first => times(mostNames, n => `a${n}: ${spell(field, first, n)} ${inner}`),
      ]
      return isLeaf(field) && field.args.length === 0 ? [differing] : [alone, differing]
    }),
  ]
}

/**
 * Returns operations for every object of the schema at every depth. For each field of the object, one operation selects
 * the field once, and another selects the field under five aliases. If the field is a list, each further alias asks for
 * one item less, but for at least one item.
 */
export function shapes(): Shape[] {
  const query = schema.getQueryType() as GraphQLObjectType
  const all: Shape[] = []
  for (const { fields, type } of ways(query)) {
    if (fields[0]?.name === 'projects') continue
    const path = fields.map(({ name }) => name).join('.')
    for (const [name, select] of selections(type))
      all.push({ name: `${path}: ${name}`, query: first => wrap(fields, first, select(first)) })
  }
  for (const name of requiring) {
    for (const { head, type, tail } of objectsWithArguments(name, placeholders)) {
      for (const [what, select] of selections(type))
        all.push({ name: `${head}: ${what}`, query: first => `{ ${head} { ${select(first)} } ${tail} }` })
      const twenty = (first: number) =>
        times(20, n => `r${n}: ${head} { ${leaves(type)} ${spellPages(type, first)} } ${tail}`)
      all.push({ name: `20 times ${head}`, query: first => `{ ${twenty(first)} }` })
    }
  }
  for (const field of fieldsOf(query)) {
    const [inner, next] = [filled(typeOf(field)), typeOf(field)]
    if (!isAskable(field) || !next || field.name === 'projects') continue
    all.push({
      name: `20 times ${field.name}`,
      query: first => `{ ${times(20, n => `r${n}: ${spell(field, first, n)} ${inner}`)} }`,
    })
  }
  return all
}

/**
 * Returns the text that selects each page field of a type. A page field returns a connection. For each item of a page,
 * the text selects all fields that hold plain values.
 */
const spellPages = (type: GraphQLObjectType, first: number) =>
  fieldsOf(type)
    .filter(field => isAskable(field) && typeOf(field) && isPage(typeOf(field) as GraphQLObjectType))
    .map(field => `${spell(field, first)} ${filled(typeOf(field))}`)
    .join(' ')

/**
 * Placeholders in the text of a shape. `fillIn` replaces each placeholder with the id or name of an object of the
 * store.
 */
export const placeholders: Named = {
  ...{ pet: '$pet', category: '$category', order: '$order', apiKey: '$apiKey', deploy: '$deploy' },
  ...{ domain: '$domain', name: '$name', categoryId: '$categoryId' },
  ...{ event: '$event', webhook: '$webhook' },
}

export const fillIn = (text: string, named: Named) =>
  text.replace(/\$(\w+)/g, (_, kind: keyof Named) => named[kind])

/**
 * Returns the text that selects the fields of a mutation's payload, and the fields of the objects down to two levels
 * below the payload. The text has no outer braces.
 */
export function payloadOf(mutation: string, first: number): string {
  const payload = typeOf(schema.getMutationType()?.getFields()[mutation] as Field)
  return payload ? whole(payload, first, 2).replace(/^\{|\}$/g, '') : ''
}

/**
 * The names of the fields of a project that return objects and require no arguments, without the fields in `ofStore`.
 */
export const fieldsOfProjects: readonly string[] = fieldsOf(schema.getType('Project') as GraphQLObjectType)
  .filter(field => isAskable(field) && !isLeaf(field) && !ofStore.includes(field.name))
  .map(({ name }) => name)

/** Selects a field of each project with every field below it. */
export function ofEachProject(name: string, first: number): string {
  const field = (schema.getType('Project') as GraphQLObjectType).getFields()[name] as Field
  const inner = whole(typeOf(field) as GraphQLObjectType, 2, field.name === 'domains' ? 1 : 2)
  return `{ projects(first: ${first}) { nodes { slug ${spell(field, 2)} ${inner} } } }`
}

/** Values of the arguments that root fields require. */
export type Named = Record<
  'pet' | 'category' | 'categoryId' | 'order' | 'apiKey' | 'deploy' | 'domain' | 'name' | 'event' | 'webhook',
  string
>

export function firstOf(objects: Record<string, string[]>): Named {
  const at = (kind: string) => objects[kind]?.[0] ?? ''
  return {
    ...{ pet: at('pets'), category: at('categories'), order: at('orders'), apiKey: at('apiKeys') },
    ...{ deploy: at('deploys'), domain: at('domains'), name: at('domainNames') },
    ...{ event: at('events'), webhook: at('webhooks') },
    categoryId: at('categories').replace('category_', ''),
  }
}

/** The root fields with required arguments. */
export const requiring = fieldsOf(schema.getQueryType() as GraphQLObjectType)
  .filter(field => !isAskable(field))
  .map(({ name }) => name)

/**
 * Returns one operation for each object type that a root field with required arguments can return. The operation
 * selects the fields of the object, and the fields of the objects one level below.
 */
export const withArguments = (name: string, named: Named): string[] =>
  objectsWithArguments(name, named).map(({ head, type, tail }) => `{ ${head} ${whole(type, 2, 1)} ${tail} }`)

/**
 * Returns one entry for each object type that this root field can return. `head` is the text of the operation before
 * the selection of the object's fields, and `tail` is the text after the selection.
 */
function objectsWithArguments(name: string, named: Named) {
  const typed = (type: string) => schema.getType(type) as GraphQLObjectType
  const own = (type: string, values: string) => [{ head: `${name}(${values})`, type: typed(type), tail: '' }]
  switch (name) {
    case 'getPet':
      return own('Pet', `petId: "${named.pet}"`)
    case 'category':
      return own('Category', `categoryId: "${named.categoryId}"`)
    case 'order':
      return own('Order', `id: "${named.order}"`)
    case 'event':
      return own('Event', `id: "${named.event}"`)
    case 'webhook':
      return own('Webhook', `id: "${named.webhook}"`)
    case 'domain':
      return own('Domain', `name: "${named.name}"`)
    case 'node':
      return Object.entries(nodeTypes).map(([kind, type]) => ({
        head: `node(id: "${named[kind as keyof Named]}") { ... on ${type}`,
        type: typed(type),
        tail: '}',
      }))
    default:
      throw new Error(`no arguments are known for ${name}`)
  }
}

const nodeTypes = {
  pet: 'Pet',
  category: 'Category',
  order: 'Order',
  apiKey: 'ApiKey',
  deploy: 'Deploy',
  domain: 'Domain',
}

const wrap = (fields: Field[], first: number, inner: string) =>
  `{ ${fields.map(field => `${spell(field, first)} { `).join('')}${inner}${' }'.repeat(fields.length)} }`

/** The root fields that return objects and need no arguments, including those that only the operator may read. */
export const rootFields = fieldsOf(schema.getQueryType() as GraphQLObjectType)
  .filter(field => isAskable(field) && typeOf(field))
  .map(({ name }) => name)

/** Returns an operation that reads a root field's list, with every field of its items down to `levels` levels. */
export function everything(name: string, first: number, levels: number): string {
  const field = schema.getQueryType()?.getFields()[name] as Field
  return `{ ${spell(field, first)} ${whole(typeOf(field) as GraphQLObjectType, first, levels)} }`
}

function whole(type: GraphQLObjectType, first: number, levels: number): string {
  const fields = fieldsOf(type).filter(field => isAskable(field) && field.name !== 'edges')
  const below = fields.filter(field => !isLeaf(field) && levels > 0)
  const inner = below.map(
    field => `${spell(field, first)} ${whole(typeOf(field) as GraphQLObjectType, first, levels - 1)}`,
  )
  return `{ __typename ${leaves(type)} ${inner.join(' ')} }`
}
