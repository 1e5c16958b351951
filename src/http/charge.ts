import type { Request, RequestHandler } from 'express'
import { StoreError } from '../core/errors.ts'
import { refusalOf, storeOrder } from '../core/limits.ts'
import type { Tools } from '../tools.ts'
import { callerOf } from './caller-of.ts'
import { setRateLimitHeaders } from './rate-limit-headers.ts'

/** Charges a REST request: one point, or none where only the state is looked at. */
export function charge(tools: Tools, pointsOf: (request: Request) => 0 | 1): RequestHandler {
  const { limiter, brake, clock, tally, metrics, config } = tools
  return async (request, response, next) => {
    const caller = callerOf(response)
    const points = pointsOf(request)
    const order = storeOrder(caller, config.ban, points)
    const verdict = points === 0 ? await limiter.look(order) : await limiter.charge(order)
    response.locals.verdict = verdict
    setRateLimitHeaders(response, verdict, clock.now())
    if (verdict.banBegins) metrics.countBan()
    if (points > 0) tally.countRequest(caller, 'rest', verdict.outcome !== 'accepted')
    if (points > 0 && verdict.outcome !== 'accepted') {
      const held = brake.hold(performance.now())
      if (held) await held
      return next(refusalOf(verdict, clock.now()))
    }
    if (caller.project.suspended)
      throw new StoreError('project_suspended', 'This project is suspended; its operator can resume it.')
    next()
  }
}
