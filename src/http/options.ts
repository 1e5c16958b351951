import cors from 'cors'
import type { Request, RequestHandler, Response } from 'express'
import { anonymousCharge, projectCharge } from '../core/projects/limits.ts'
import type { Tools } from '../tools.ts'
import { findCaller } from './authenticate.ts'
import { addHeader, setHeadersAtOnce } from './headers.ts'
import { networkOf } from './network.ts'
import { addRateLimitHeaders } from './rate-limit-headers.ts'

/** What may be asked at an address. Browsers ask before they send a key, so none is needed, and nothing is charged. */
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

/** Those of the key, or of the address where there is none, or none that can be found just now. */
async function showLimits(tools: Tools, request: Request, response: Response): Promise<void> {
  const { limiter, config } = tools
  const caller = await Promise.resolve(findCaller(tools, request)).catch(() => null)
  const charge = caller
    ? projectCharge(caller, config.ban, { store: 0, management: 0 })
    : anonymousCharge(networkOf(request.ip))
  addRateLimitHeaders(response, await limiter.get(charge.subject, charge))
}
