import type { operations } from './generated/openapi.ts'

/**
 * The ids of the contract's operations. For each id, `Input` is the type of the operation's input, and `Answered` is
 * the type of its successful answer.
 */
export type OperationId = keyof operations

export type Input<Id extends OperationId> = Pick<operations[Id]['parameters'], 'path' | 'query'> & BodyOf<Id>

type BodyOf<Id extends OperationId> = operations[Id] extends { requestBody: Json<infer Body> }
  ? { body: Body }
  : operations[Id] extends { requestBody: object }
    ? { body: Blob }
    : { body?: never }

type Responses<Id extends OperationId> = operations[Id]['responses']
type Success = 200 | 201 | 202 | 204

export type Answered<Id extends OperationId> = {
  [Status in keyof Responses<Id> & Success]: Responses<Id>[Status] extends Json<infer Body>
    ? Body
    : Responses<Id>[Status] extends { content: object }
      ? ReadableStream<Uint8Array>
      : undefined
}[keyof Responses<Id> & Success]

type Json<Body> = { content: { 'application/json': Body } }
