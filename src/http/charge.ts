import type { Request, RequestHandler } from 'express'
import { StoreError } from '../core/errors.ts'
import { refusalOf, storeCharge } from '../core/limits.ts'
import type { Tools } from '../tools.ts'
import { callerOf } from './caller-of.ts'
import { setRateLimitHeaders } from './rate-limit-headers.ts'

/** Charges a REST request: one point, or none where only the state is looked at. */
export function charge(tools: Tools, pointsOf: (request: Request) => 0 | 1): RequestHandler {
  const { limiter, usageCounter, metrics, config } = tools
  return async (request, response, next) => {
    const caller = callerOf(response)
    const points = pointsOf(request)
    const charge = storeCharge(caller, config.ban, points)
    const decision = points === 0 ? await limiter.peek(charge) : await limiter.charge(charge)
    response.locals.decision = decision
    setRateLimitHeaders(response, decision)
    if (decision.banBegins) metrics.countBan()
    if (points > 0) usageCounter.countRequest(caller, 'rest', decision.outcome !== 'accepted')
    if (points > 0 && decision.outcome !== 'accepted') {
      return next(refusalOf(decision))
    }
    if (caller.project.suspended)
      throw new StoreError('project_suspended', 'This project is suspended; its operator can resume it.')
    next()
  }
}
