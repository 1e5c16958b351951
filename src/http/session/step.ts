import type { Request, Response } from 'express'
import { StoreError } from '../../core/errors.ts'
import type { CallingPerson } from '../../core/keys/caller.ts'
import { beginSession } from '../../core/people/sessions.ts'
import { anonymousCharge, personCharge } from '../../core/projects/limits.ts'
import type { Tools } from '../../tools.ts'
import { findCaller, findOperator, refuseAnonymous } from '../authenticate.ts'
import { chargeSubject } from '../charge.ts'
import { networkOf } from '../network.ts'
import { setCookie } from './cookie.ts'
import { deviceOf } from './device.ts'

/** A request of a page of the dashboard. */
export type Call = { request: Request; response: Response; origin: URL; body: Record<string, unknown> }
export type Step = (call: Call) => Promise<unknown>

export const signInAgain = new StoreError('unauthorized', 'Sign in again.')

/** Begins a session in this browser. */
export async function signIn(
  { db, clock }: Tools,
  { request, response, origin }: Omit<Call, 'body'>,
  personId: string,
  how: { byIssuer?: boolean; byPasskey?: boolean } = {},
): Promise<void> {
  const device = deviceOf(request.headers['user-agent'])
  const { secret } = await beginSession(db, clock, personId, device, how)
  setCookie(response, origin, secret)
}

/** Charges a sign-in to the IP address like an anonymous request, so that an attacker cannot try many links. */
export async function chargeAddress(tools: Tools, request: Request, response: Response): Promise<void> {
  await chargeSubject(tools, response, anonymousCharge(networkOf(request.ip)))
}

/** Reads the body of a request. A body that cannot be read is charged here, because the step that charges never runs. */
export async function readOrCharge<Read>(
  tools: Tools,
  request: Request,
  response: Response,
  read: () => Promise<Read>,
): Promise<Read> {
  return read().catch(async refusal => {
    await chargeAddress(tools, request, response)
    throw refusal
  })
}

type SignedIn = Pick<CallingPerson, 'id' | 'sessionId'>

/**
 * Finds the person whose bearer token the request has. This is a token for a project or an operator token. Reads no
 * cookie.
 */
export async function findCallingPerson(tools: Tools, request: Request): Promise<SignedIn | null> {
  const caller = await findCaller(tools, request)
  if (caller) return caller.person ?? null
  return (await findOperator(tools, request))?.person ?? null
}

/** Returns the person who calls, and charges the person. */
export async function requirePerson(
  tools: Tools,
  { request, response }: Pick<Call, 'request' | 'response'>,
): Promise<SignedIn> {
  const person = await findCallingPerson(tools, request)
  if (!person) throw await refuseAnonymous(tools, request, response, signInAgain)
  response.locals.person = person.id
  await chargeSubject(tools, response, personCharge(person.id, 1))
  return person
}
