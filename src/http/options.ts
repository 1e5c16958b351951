import cors from 'cors'
import type { Request, RequestHandler, Response } from 'express'
import { anonymousCharge, projectCharge } from '../core/projects/limits.ts'
import type { Tools } from '../tools.ts'
import { findCaller } from './authenticate.ts'
import { addHeader, setHeadersAtOnce } from './headers.ts'
import { networkOf } from './network.ts'
import { addRateLimitHeaders } from './rate-limit-headers.ts'

/**
 * Answers OPTIONS with the allowed methods. Needs no key and charges nothing, because browsers send preflights without
 * the key.
 */
export function answerOptions(tools: Tools, allowed: string): RequestHandler {
  const answerPreflight = cors({ methods: allowed, maxAge: 86_400 })
  return (request, response, next) => {
    if (request.method !== 'OPTIONS') return next()
    return showLimits(tools, request, response).then(() => {
      addHeader(response, 'Allow', allowed)
      setHeadersAtOnce(request, response, () => answerPreflight(request, response, next))
    })
  }
}

/** Adds the limits of the key, or of the IP address if there is no key or it cannot be looked up. */
async function showLimits(tools: Tools, request: Request, response: Response): Promise<void> {
  const { limiter, config } = tools
  const caller = await Promise.resolve(findCaller(tools, request)).catch(() => null)
  const charge = caller
    ? projectCharge(caller, config.ban, { store: 0, management: 0 })
    : anonymousCharge(networkOf(request.ip))
  addRateLimitHeaders(response, await limiter.get(charge.subject, charge))
}
