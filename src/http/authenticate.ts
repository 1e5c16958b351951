import { timingSafeEqual } from 'node:crypto'
import type { Request, RequestHandler, Response } from 'express'
import { StoreError } from '../core/errors.ts'
import type { Caller } from '../core/keys/caller.ts'
import { findOperatorOfToken, type Operator } from '../core/people/operators.ts'
import { anonymousCharge, refusalOf } from '../core/projects/limits.ts'
import { hashSecret } from '../core/secrets.ts'
import { runFor } from '../database/owner.ts'
import type { Tools } from '../tools.ts'
import { keepByKey } from './caching.ts'
import { decide, waitForWorkTurn } from './charge.ts'
import { networkOf } from './network.ts'
import { addRateLimitHeaders } from './rate-limit-headers.ts'

/**
 * Authenticates the request. Without a valid key, charges the IP address, and answers 401, or 429 if the address has
 * used up its budget.
 */
export function authenticate(tools: Tools): RequestHandler {
  return (request, response, next) => {
    keepByKey(response)
    const found = findCaller(tools, request)
    return found instanceof Promise ? found.then(enter, fail) : enter(found)

    function enter(caller: Caller | null): Promise<void> | void {
      if (!caller) return refuseAnonymous(tools, request, response).then(next)
      response.locals.caller = caller
      return runFor(caller.project.id, () => {
        const turn = waitForWorkTurn(tools, response)
        return turn ? turn.then(() => next()) : next()
      })
    }
    async function fail(fault: unknown): Promise<never> {
      await showAnonymousLimits(tools, request, response)
      throw fault
    }
  }
}

/** Finds the caller. Returns it synchronously if the key is cached, as most keys are. */
export function findCaller({ callers }: Tools, request: Request): Promise<Caller | null> | Caller | null {
  const secret = bearerOf(request)
  const found = secret === null ? null : callers.find(secret)
  const host = request.res?.locals.host
  // A project's own host accepts only API keys of that project, and no tokens of people.
  const here = (caller: Caller | null) =>
    host && (caller?.project.id !== host.projectId || caller.person) ? null : caller
  return found instanceof Promise ? found.then(here) : here(found)
}

/** Finds the caller again after a slow body, because the key may have ended while the body arrived. */
export async function findCallerAgain(tools: Tools, request: Request, response: Response): Promise<Caller> {
  const caller = await findCaller(tools, request)
  if (!caller) throw await refuseAnonymous(tools, request, response)
  response.locals.caller = caller
  return caller
}

/** Finds the operator by an operator key or a person's operator token. A project's own host accepts neither. */
export async function findOperator(
  { operatorKeys, db, clock }: Tools,
  request: Request,
): Promise<Operator | null> {
  const secret = bearerOf(request)
  if (secret === null || request.res?.locals.host) return null
  const hash = hashSecret(secret)
  const known = operatorKeys.find(({ key }) => timingSafeEqual(hash, hashSecret(key)))
  return known ? { name: known.name, person: null } : findOperatorOfToken(db, clock, secret)
}

/**
 * Returns the bearer credential if there is exactly one. Reads the raw headers, because Node.js joins or drops repeated
 * ones.
 */
export function bearerOf(request: Request): string | null {
  const { authorization } = request.headers
  if (authorization === undefined || authorization.length > 200) return null
  let found = 0
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const name = request.rawHeaders[i] ?? ''
    if (name.length === 13 && name.toLowerCase() === 'authorization') found++
  }
  return found === 1 ? (/^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null) : null
}

/** Adds the limits of the IP address to an answer for an unknown caller. Charges nothing. */
export async function showAnonymousLimits(
  { limiter }: Tools,
  request: Request,
  response: Response,
): Promise<void> {
  const charge = anonymousCharge(networkOf(request.ip))
  addRateLimitHeaders(response, await limiter.get(charge.subject, charge))
}

/** Throws if the IP address has used up its anonymous requests. Charges nothing. */
export async function requireAnonymousBudget(
  { limiter, refusalPace }: Tools,
  request: Request,
  response: Response,
): Promise<void> {
  const charge = anonymousCharge(networkOf(request.ip))
  const decision = await limiter.get(charge.subject, charge)
  if (decision.outcome === 'accepted') return
  addRateLimitHeaders(response, decision)
  await refusalPace.wait(charge.subject, response)
  throw refusalOf(decision)
}

const withoutKey = new StoreError('unauthorized', 'Send a valid API key: Authorization: Bearer as_...')

/** Returns the error for an unknown host, or a missing or invalid key. It does not say what is wrong with the key. */
export async function refuseAnonymous(
  tools: Tools,
  request: Request,
  response: Response,
  refusal = withoutKey,
): Promise<StoreError> {
  const decision = await decide(tools, response, anonymousCharge(networkOf(request.ip)))
  return decision.outcome === 'accepted' ? refusal : refusalOf(decision)
}
