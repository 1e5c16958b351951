import { parse } from 'yaml'

type Node = { [name: string]: unknown }
type Contract = Node & { paths: Record<string, Record<string, Operation>> }
type Operation = {
  operationId: string
  parameters?: Node[]
  responses?: { '200'?: { content?: Node } }
  'x-idempotent'?: boolean
}

/**
 * Generates what the client needs of openapi.yaml at run time: each operation's path, and the names of int64 members.
 */
export function generateWire(text: string): string {
  const contract: Contract = parse(text, { intAsBigInt: true, maxAliasCount: -1 })
  const lines = listOperations(contract).map(({ id, ...place }) => `  ${id}: ${JSON.stringify(place)},`)
  return [
    '// Generated from openapi.yaml by npm run codegen.\n',
    '/** Method and path of each operation. `keyed`: takes an Idempotency-Key. `idempotent`: may be sent again. `streamed`: the answer is not JSON. */',
    `export const wire = {\n${lines.join('\n')}\n} as const\n`,
    '/** The names of all members whose numbers are int64. */',
    `export const int64Members: readonly string[] = ${JSON.stringify(listInt64Members(contract))}\n`,
  ].join('\n')
}

function listOperations(contract: Contract) {
  return Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => operationId)
      .map(([method, { operationId, parameters = [], responses, 'x-idempotent': idempotent = false }]) => ({
        id: operationId,
        method: method.toUpperCase(),
        path,
        keyed: parameters.some(parameter => follow(contract, parameter).name === 'Idempotency-Key'),
        idempotent: idempotent || ['get', 'put'].includes(method),
        streamed: !('application/json' in (responses?.['200']?.content ?? { 'application/json': {} })),
      })),
  )
}

/**
 * The client recognises an int64 by the member's name, so a name must not be an int64 in one schema and another number
 * elsewhere.
 */
function listInt64Members(contract: Contract): string[] {
  const numbers = [...membersOf(contract)].flatMap(([name, schema]) =>
    numbersOf(contract, schema).map(format => ({ name, format })),
  )
  const int64 = new Set(numbers.filter(({ format }) => format === 'int64').map(({ name }) => name))
  const doubtful = numbers.find(({ name, format }) => int64.has(name) && format !== 'int64')
  if (doubtful) throw new Error(`${doubtful.name} is an int64 in one schema and another number in another.`)
  return [...int64].toSorted()
}

function* membersOf(node: unknown): Generator<[string, Node]> {
  if (typeof node !== 'object' || node === null) return
  if ('properties' in node) yield* Object.entries(node.properties as Record<string, Node>)
  for (const part of Object.values(node)) yield* membersOf(part)
}

/** Returns the number formats that a schema accepts: directly, as one of several types, or as items of a list. */
function numbersOf(contract: Contract, schema: Node): unknown[] {
  const { type, format, items, allOf = [], anyOf = [], oneOf = [] } = follow(contract, schema)
  if (/integer|number/.test(String(type))) return [format]
  const parts = [items ?? [], allOf, anyOf, oneOf].flat() as Node[]
  return parts.flatMap(part => numbersOf(contract, part))
}

function follow(contract: Contract, node: Node): Node {
  if (typeof node.$ref !== 'string') return node
  const path = node.$ref.slice(2).split('/')
  return follow(
    contract,
    path.reduce<Node>((found, name) => found[name] as Node, contract),
  )
}
