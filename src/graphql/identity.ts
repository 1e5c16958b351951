import type { Request, Response } from 'express'
import type { StoreError } from '../core/errors.ts'
import type { Caller } from '../core/keys/caller.ts'
import type { Operator } from '../core/people/operators.ts'
import { findCaller, findOperator, refuseAnonymous, showAnonymousLimits } from '../http/authenticate.ts'
import type { Tools } from '../tools.ts'

/** The client that sends an operation. Without a key it may read only the schema. */
export type Identity =
  | { kind: 'caller'; caller: Caller }
  | ({ kind: 'operator' } & Operator)
  | { kind: 'anonymous'; refusal: StoreError }

/** Identifies the client. Without a key, reads of the schema are limited by IP address. */
export async function identify(tools: Tools, request: Request, response: Response): Promise<Identity> {
  const caller = await find(tools, request, response)
  if (caller) {
    response.locals.caller = caller
    return { kind: 'caller', caller }
  }
  const operator = await findOperator(tools, request)
  if (operator) {
    response.locals.operator = operator
    return { kind: 'operator', ...operator }
  }
  const refusal = await refuseAnonymous(tools, request, response)
  // Browser tools for GraphQL send an empty Authorization header until the user has entered a key.
  if (request.headers.authorization || refusal.code !== 'unauthorized') throw refusal
  return { kind: 'anonymous', refusal }
}

async function find(tools: Tools, request: Request, response: Response): Promise<Caller | null> {
  try {
    return await findCaller(tools, request)
  } catch (fault) {
    await showAnonymousLimits(tools, request, response)
    throw fault
  }
}
