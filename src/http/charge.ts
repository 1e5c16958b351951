import type { Request, RequestHandler, Response } from 'express'
import type { Caller } from '../core/keys/caller.ts'
import { requireServed } from '../core/project.ts'
import { freeReadCharge, projectCharge, refusalOf } from '../core/projects/limits.ts'
import type { Charge } from '../limiter/charge.ts'
import { acceptedOrRefused, type Decision } from '../limiter/decision.ts'
import type { Tools } from '../tools.ts'
import { addHeader } from './headers.ts'
import { type Bill, callerOf } from './locals.ts'
import { addRateLimitHeaders } from './rate-limit-headers.ts'

/**
 * Charges the caller before any work is done. Throws if the limiter refuses. A charge of 0 only adds the limit headers.
 */
export async function chargeCaller(
  tools: Tools,
  response: Response,
  caller: Caller,
  bill: Bill,
): Promise<Decision> {
  // Set the bill before charging only if the store's budget pays: otherwise a refusal by another budget would be
  // counted as one by the store.
  if (bill.store > 0) response.locals.bill = bill
  const { decision } = await chargeProject(tools, response, caller, bill)
  response.locals.bill = bill
  requireServed(caller.project)
  return decision
}

export type Charged = { charge: Charge; decision: Decision }

/** Charges the caller's project without counting the use. Throws if the limiter refuses. */
export async function chargeProject(
  tools: Tools,
  response: Response,
  caller: Caller,
  { store, management }: Pick<Bill, 'store' | 'management'>,
): Promise<Charged> {
  const charge = projectCharge(caller, tools.config.ban, { store, management })
  const decision = await decide(tools, response, charge)
  if (store > 0) tools.limitNotices.note(caller.project, decision, store)
  if (charge.points > 0 && decision.outcome !== 'accepted')
    throw refusalOf(decision, management > 0 ? 0 : store)
  return { charge, decision }
}

/** Counts free reads of the caller's project, including this one. Returns false if they come too fast. */
export async function isFairRead({ limiter }: Tools, caller: Caller, reads = 1): Promise<boolean> {
  const charge = freeReadCharge(caller)
  const decision = await acceptedOrRefused(limiter.consume(charge.subject, reads, charge))
  return decision.outcome === 'accepted'
}

/** Charges a person or an address, whose use is not counted. Throws if the limiter refuses. */
export async function settle(tools: Tools, response: Response, charge: Charge): Promise<Decision> {
  const decision = await decide(tools, response, charge)
  if (charge.points > 0 && decision.outcome !== 'accepted') throw refusalOf(decision)
  return decision
}

/** Charges, or with a charge of 0 only reads the counters, and adds the rate limit headers. */
export async function decide(tools: Tools, response: Response, charge: Charge): Promise<Decision> {
  const { limiter, metrics } = tools
  const { subject, points } = charge
  const decision = await (points > 0
    ? acceptedOrRefused(limiter.consume(subject, points, charge))
    : limiter.get(subject, charge))
  response.locals.decision = decision
  addRateLimitHeaders(response, decision)
  if (decision.banBegins) metrics.countBan()
  if (points > 0 && decision.outcome !== 'accepted') await tools.refusalPace.wait(subject, response)
  if (points > 0 && decision.outcome === 'accepted') {
    response.locals.charged = [...(response.locals.charged ?? []), { charge, decision }]
  }
  return decision
}

/** Refunds the charges of a request that was answered with 503. */
export function giveBack(tools: Tools, { locals, statusCode }: Response): void {
  if (statusCode !== 503 && !(locals.worstStatus === 503 && locals.hasNoData)) return
  for (const charged of locals.charged ?? []) void refund(tools, charged)
}

/**
 * Refunds all but one of the charged requests, and corrects the headers. Call it if a charged request turns out to be a
 * repeat, which is known only once the concurrent first request has finished.
 */
export async function keepOneRequest(tools: Tools, response: Response): Promise<void> {
  const { charged = [], bill } = response.locals
  const paid = charged.reduce((sum, { charge }) => sum + charge.points, 0)
  const [last] = charged.slice(-1)
  if (!last || paid <= 1) return
  for (const { charge, decision } of charged) {
    const points = charge === last.charge ? charge.points - 1 : charge.points
    if (points > 0) await refund(tools, { charge: { ...charge, points }, decision })
  }
  response.locals.charged = [{ ...last, charge: { ...last.charge, points: 1 } }]
  if (bill) response.locals.bill = { ...bill, store: 1 }
  addHeader(response, 'X-RateLimit-Cost', '1')
  await decide(tools, response, { ...last.charge, points: 0 })
}

export function refund({ limiter, log }: Tools, { charge, decision }: Charged): Promise<unknown> {
  // Refund only windows that were charged, not a window that has started since.
  const windows = charge.windows.flatMap((window, index) => {
    const charged = decision.windows[index]
    return charged ? [{ ...window, resetAt: charged.resetAt }] : []
  })
  return limiter
    .reward(charge.subject, charge.points, { windows })
    .catch(error => log.error({ error }, 'unhandled error'))
}

/** Computes the cost of a request if it depends on more than the path. */
export type Price = (request: Request, response: Response) => Promise<number>

/** Charges a REST request to its project: the price of its path, or 1. */
export function charge(tools: Tools, prices: Readonly<Record<string, number | Price>>): RequestHandler {
  /** Read the caller at the time of the charge: reading the body takes a while, and the caller may have changed. */
  const take = (response: Response, store: number) =>
    chargeCaller(tools, response, callerOf(response), { door: 'rest', store, management: 0 })

  async function takeLookedUp(price: Price, request: Request, response: Response): Promise<void> {
    let store = 1
    let isKnown = false
    try {
      isKnown = await mayAsk(tools, callerOf(response))
      if (isKnown) store = await price(request, response)
    } finally {
      // If the price cannot be found, charge 1.
      await take(response, store)
    }
    if (isKnown) return
    // The exhausted window has ended in between, and 1 is paid: charge the rest.
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

/** True if a charge of 1 would be accepted, so that it is worth finding the price. */
export async function mayAsk({ limiter, config }: Tools, caller: Caller): Promise<boolean> {
  requireServed(caller.project)
  const charge = projectCharge(caller, config.ban, { store: 1, management: 0 })
  const { outcome } = await limiter.get(charge.subject, charge)
  return outcome === 'accepted'
}
