import type { Request, RequestHandler, Response } from 'express'
import type { Caller } from '../core/keys/caller.ts'
import { requireServed } from '../core/project.ts'
import { projectCharge, refusalOf } from '../core/projects/limits.ts'
import type { Charge } from '../limiter/charge.ts'
import { acceptedOrRefused, type Decision } from '../limiter/decision.ts'
import type { Tools } from '../tools.ts'
import { type Bill, callerOf } from './locals.ts'
import { addRateLimitHeaders } from './rate-limit-headers.ts'

/**
 * Charges the caller before any work is done and throws if the limiter refuses. A bill of 0 only adds the limit
 * headers.
 */
export async function chargeCaller(
  tools: Tools,
  response: Response,
  caller: Caller,
  bill: Bill,
): Promise<Decision> {
  const { store, management } = bill
  const charge = projectCharge(caller, tools.config.ban, { store, management })
  const decision = await decide(tools, response, charge)
  const isRefused = charge.points > 0 && decision.outcome !== 'accepted'
  // A request that costs the store nothing still counts as use of the key, but its refusal does not count as one by
  // the store.
  if (store > 0 || !isRefused) response.locals.bill = bill
  if (isRefused) throw refusalOf(decision, management > 0 ? 0 : store)
  requireServed(caller.project)
  return decision
}

/** Charges somebody without counted usage, and throws if the limiter refuses. */
export async function settle(tools: Tools, response: Response, charge: Charge): Promise<Decision> {
  const decision = await decide(tools, response, charge)
  if (charge.points > 0 && decision.outcome !== 'accepted') throw refusalOf(decision)
  return decision
}

/** Charges, or only reads the counters if the charge is 0, and adds the rate limit headers to the response. */
export async function decide(tools: Tools, response: Response, charge: Charge): Promise<Decision> {
  const { limiter, metrics } = tools
  const { subject, points } = charge
  const decision = await (points > 0
    ? acceptedOrRefused(limiter.consume(subject, points, charge))
    : limiter.get(subject, charge))
  response.locals.decision = decision
  addRateLimitHeaders(response, decision)
  if (decision.banBegins) metrics.countBan()
  if (points > 0 && decision.outcome === 'accepted') {
    response.locals.charged = [...(response.locals.charged ?? []), { charge, decision }]
  }
  return decision
}

/** Refunds the charges of a request that was answered 503. */
export function giveBack({ limiter, log }: Tools, { locals, statusCode }: Response): void {
  if (statusCode !== 503 && !(locals.worstStatus === 503 && locals.hasNoData)) return
  for (const { charge, decision } of locals.charged ?? []) {
    // Refund only the windows that were charged: a window that has started since must not be credited.
    const windows = charge.windows.flatMap((window, index) => {
      const charged = decision.windows[index]
      return charged ? [{ ...window, resetAt: charged.resetAt }] : []
    })
    limiter
      .reward(charge.subject, charge.points, { windows })
      .catch(error => log.error({ error }, 'unhandled error'))
  }
}

/** Computes what a request costs if that depends on more than its path. */
export type Price = (request: Request, response: Response) => Promise<number>

/** Charges a REST request to its project: the price of its path, or 1. */
export function charge(tools: Tools, prices: Readonly<Record<string, number | Price>>): RequestHandler {
  /** Reads the caller when it charges: reading the body may take a while, and the caller may have changed since. */
  const take = (response: Response, store: number) =>
    chargeCaller(tools, response, callerOf(response), { door: 'rest', store, management: 0 })

  async function takeLookedUp(price: Price, request: Request, response: Response): Promise<void> {
    let store = 1
    let isKnown = false
    try {
      isKnown = await mayAsk(tools, callerOf(response))
      if (isKnown) store = await price(request, response)
    } finally {
      // If the price cannot be found, the request costs 1, as any other does.
      await take(response, store)
    }
    if (isKnown) return
    // The exhausted window has ended since and 1 is paid: charge the rest of the price.
    const whole = await price(request, response)
    if (whole > 1) await take(response, whole - 1)
    response.locals.bill = { door: 'rest', store: whole, management: 0 }
  }

  return async (request, response, next) => {
    const { method, path } = request
    const ofMethod = method === 'PATCH' || method === 'DELETE' ? prices[`${method} ${path}`] : undefined
    const price = ofMethod ?? prices[path] ?? 1
    if (typeof price === 'number') await take(response, price)
    else await takeLookedUp(price, request, response)
    next()
  }
}

/** Checks whether a charge would be refused, so that the price is not looked up in vain. */
export async function mayAsk({ limiter, config }: Tools, caller: Caller): Promise<boolean> {
  requireServed(caller.project)
  const charge = projectCharge(caller, config.ban, { store: 1, management: 0 })
  const { outcome } = await limiter.get(charge.subject, charge)
  return outcome === 'accepted'
}
