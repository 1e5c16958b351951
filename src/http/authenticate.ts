import type { Request, RequestHandler, Response } from 'express'
import { StoreError } from '../core/errors.ts'
import type { Caller } from '../core/keys/caller.ts'
import { anonymousCharge, refusalOf } from '../core/projects/limits.ts'
import type { Tools } from '../tools.ts'
import { keepByKey } from './caching.ts'
import { decide } from './charge.ts'
import { networkOf } from './network.ts'
import { addRateLimitHeaders } from './rate-limit-headers.ts'

/** Finds out who is calling. Whoever cannot say so is answered 401, and limited by the address they call from. */
export function authenticate(tools: Tools): RequestHandler {
  return (request, response, next) => {
    keepByKey(response)
    const found = findCaller(tools, request)
    return found instanceof Promise ? found.then(enter, fail) : enter(found)

    function enter(caller: Caller | null): Promise<void> | void {
      if (!caller) return refuseAnonymous(tools, request, response).then(next)
      response.locals.caller = caller
      next()
    }
    async function fail(fault: unknown): Promise<never> {
      await showAnonymousLimits(tools, request, response)
      throw fault
    }
  }
}

/** Most callers were looked up a moment ago, and are at hand. */
export function findCaller({ callers }: Tools, request: Request): Promise<Caller | null> | Caller | null {
  const secret = bearerOf(request)
  const found = secret === null ? null : callers.find(secret)
  const host = request.res?.locals.host
  // At a project's own host the keys of all others are unknown.
  const here = (caller: Caller | null) => (host && caller?.project.id !== host.projectId ? null : caller)
  return found instanceof Promise ? found.then(here) : here(found)
}

/** The bearer credential, if there is exactly one: node joins or drops repeated headers, so the raw ones are read. */
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

/** Every answer tells the limits; one that is no caller's doing tells those of the address, and charges nothing. */
export async function showAnonymousLimits(
  { limiter }: Tools,
  request: Request,
  response: Response,
): Promise<void> {
  const charge = anonymousCharge(networkOf(request.ip))
  addRateLimitHeaders(response, await limiter.get(charge.subject, charge))
}

/** Refuses an address that has used up what anonymous requests may take, and charges nothing. */
export async function requireAnonymousBudget(
  { limiter }: Tools,
  request: Request,
  response: Response,
): Promise<void> {
  const charge = anonymousCharge(networkOf(request.ip))
  const decision = await limiter.get(charge.subject, charge)
  if (decision.outcome === 'accepted') return
  addRateLimitHeaders(response, decision)
  throw refusalOf(decision)
}

const withoutKey = new StoreError('unauthorized', 'Send a valid API key: Authorization: Bearer as_...')

/** The refusal for a request without a valid key, which never hints at what was wrong with it, or to an unknown host. */
export async function refuseAnonymous(
  tools: Tools,
  request: Request,
  response: Response,
  refusal = withoutKey,
): Promise<StoreError> {
  const decision = await decide(tools, response, anonymousCharge(networkOf(request.ip)))
  return decision.outcome === 'accepted' ? refusal : refusalOf(decision)
}
