import type { Request } from 'express'
import {
  type GraphQLArgument,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  type OperationDefinitionNode,
} from 'graphql'
import { invalidInput } from '../core/errors.ts'
import { parseIdempotencyKey } from '../core/pets/idempotency.ts'

export const idempotencyHeader = 'idempotency-key'
const header = 'Idempotency-Key'

/** Reads the HTTP header's key. It is valid only for an operation with exactly one mutation. */
export function readIdempotencyKey(
  request: Request,
  schema: GraphQLSchema,
  { operation }: OperationDefinitionNode,
  fields: readonly string[],
): string | null {
  if (!(idempotencyHeader in request.headers)) return null
  const given = request.headersDistinct[idempotencyHeader] ?? []
  const [key] = given
  if (key === undefined) return null
  if (given.length > 1) throw invalidInput([{ field: header, message: 'must be given once' }])
  const mutations = fields.filter(name => name !== '__typename')
  const [only = ''] = mutations.length === 1 ? mutations : []
  const mutation = operation === 'mutation' ? schema.getMutationType()?.getFields()[only] : undefined
  if (mutation?.args.some(takesKey)) return parseIdempotencyKey(header, key)
  const message = 'is allowed only for an operation of one mutation that takes an idempotencyKey'
  throw invalidInput([{ field: header, message }])
}

function takesKey({ name, type }: GraphQLArgument): boolean {
  const input = getNamedType(type)
  return name === 'idempotencyKey' || (isInputObjectType(input) && 'idempotencyKey' in input.getFields())
}

/**
 * Returns the key from the header or the input. Rejects an operation with a key in both places, because the two keys
 * could differ.
 */
export function onlyIdempotencyKey(
  ofHeader: string | null | undefined,
  ofInput: string | null | undefined,
): string | null {
  if (typeof ofInput !== 'string') return ofHeader ?? null
  if (ofHeader)
    throw invalidInput([
      { field: header, message: 'is also given as idempotencyKey; send only one of the two' },
    ])
  return parseIdempotencyKey('input.idempotencyKey', ofInput)
}
