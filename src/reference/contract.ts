import { readOpenapi } from '../tools/openapi.ts'

/** The parts of openapi.yaml that the page shows. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  enum?: string[]
  default?: unknown
  minimum?: number | bigint
  maximum?: number | bigint
  minLength?: number | bigint
  maxLength?: number | bigint
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  'x-stability'?: string
}
type Example = { summary?: string; value: unknown }
type Content = Record<string, { schema?: Schema; example?: unknown; examples?: Record<string, Example> }>
export type Parameter = {
  name: string
  in: 'query' | 'path' | 'header'
  required?: boolean
  description?: string
  schema: Schema
  example?: unknown
  'x-stability'?: string
}
export type Answer = { description: string; headers?: Record<string, Header>; content?: Content }
export type Header = { $ref?: string; description?: string }
export type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  deprecated?: boolean
  parameters?: Parameter[]
  requestBody?: { description?: string; content: Content }
  responses: Record<string, Answer>
  'x-stability'?: string
  'x-removal-date'?: string
}
export type Contract = {
  info: { title: string; version: string; summary: string; description: string }
  tags: { name: string; 'x-displayName'?: string; description?: string }[]
  'x-tagGroups': { name: string; tags: string[] }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; headers: Record<string, Header> }
}
export type Located = Operation & { method: string; path: string }

export function readContract(): Contract {
  const document = readOpenapi()
  return resolve(document, document) as Contract
}

const isWholeSchema = /^#\/components\/schemas\/\w+$/

/** Follows references, but not to schemas, which the page shows as links. */
function resolve(node: unknown, document: unknown): unknown {
  if (Array.isArray(node)) return node.map(item => resolve(item, document))
  if (node === null || typeof node !== 'object') return node
  const reference = '$ref' in node && typeof node.$ref === 'string' ? node.$ref : null
  if (reference && !isWholeSchema.test(reference)) return resolve(find(document, reference), document)
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, resolve(value, document)]))
}

function find(document: unknown, reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce((node, name) => (node as Record<string, unknown>)[name], document)
}

export function operationsOf({ paths }: Contract): Located[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  )
}

export const nameOf = (reference: string) => reference.split('/').at(-1) ?? reference

/** Formats JSON, keeping every digit of an int64. */
export function showJson(value: unknown, indent = 2): string {
  return JSON.stringify(
    value,
    (_key, part) => (typeof part === 'bigint' ? JSON.rawJSON(`${part}`) : part),
    indent,
  )
}
