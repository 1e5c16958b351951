import type { Request } from 'express'
import type { GraphQLSchema, OperationDefinitionNode } from 'graphql'
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
  if (mutation?.args.some(({ name }) => name === 'idempotencyKey')) return parseIdempotencyKey(header, key)
  const message = 'is allowed only for an operation of one mutation that takes an idempotencyKey'
  throw invalidInput([{ field: header, message }])
}

/** Returns the key from the header or the argument. Rejects both together, because they could differ. */
export function onlyIdempotencyKey(
  ofHeader: string | null | undefined,
  ofArgument: string | null | undefined,
): string | null {
  if (typeof ofArgument !== 'string') return ofHeader ?? null
  if (ofHeader)
    throw invalidInput([{ field: header, message: 'is also given as an argument; send only one of the two' }])
  return parseIdempotencyKey('idempotencyKey', ofArgument)
}
