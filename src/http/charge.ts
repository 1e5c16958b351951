import type { Request, RequestHandler, Response } from 'express'
import type { Caller } from '../core/keys/caller.ts'
import { requireServed } from '../core/project.ts'
import { projectCharge, refusalOf } from '../core/projects/limits.ts'
import type { Door } from '../core/usage/counts.ts'
import type { Charge } from '../limiter/charge.ts'
import { acceptedOrRefused, type Decision } from '../limiter/decision.ts'
import type { Tools } from '../tools.ts'
import { callerOf } from './caller-of.ts'
import { addRateLimitHeaders } from './rate-limit-headers.ts'

/** The requests that a question takes of its project's two budgets, and the door that it came through. */
export type Bill = { door: Door; store: number; management: number }

/** Charges a caller before anything is done for them, and throws the refusal; a bill of nothing only shows the limits. */
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
  // What takes nothing of the store is a use of the key all the same, and its refusal is none of the store's.
  if (store > 0 || !isRefused) response.locals.bill = bill
  if (isRefused) throw refusalOf(decision, management > 0 ? 0 : store)
  requireServed(caller.project)
  return decision
}

/** Takes a charge of somebody who has no usage to be counted, and throws the refusal. */
export async function settle(tools: Tools, response: Response, charge: Charge): Promise<Decision> {
  const decision = await decide(tools, response, charge)
  if (charge.points > 0 && decision.outcome !== 'accepted') throw refusalOf(decision)
  return decision
}

/** Charges, or only reads the counts for a charge of nothing; the response's headers show the decision. */
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

/** Gives back what was charged for an answer of 503, which was worth nothing to the caller. */
export function giveBack({ limiter, log }: Tools, { locals, statusCode }: Response): void {
  if (statusCode !== 503 && !(locals.worstStatus === 503 && locals.hasNoData)) return
  for (const { charge, decision } of locals.charged ?? []) {
    // Only of the windows that were charged: if one has ended since, the next one owes nothing.
    const windows = charge.windows.flatMap((window, index) => {
      const charged = decision.windows[index]
      return charged ? [{ ...window, resetAt: charged.resetAt }] : []
    })
    limiter
      .reward(charge.subject, charge.points, { windows })
      .catch(error => log.error({ error }, 'unhandled error'))
  }
}

/** What a request costs, where that has to be looked up. */
export type Price = (request: Request, response: Response) => Promise<number>

/** A REST request costs its project one of the plan's, or what is said here of its path. */
export function charge(tools: Tools, prices: Readonly<Record<string, number | Price>>): RequestHandler {
  /** Of who the caller is found to be by then: a body may take its time to come. */
  const take = (response: Response, store: number) =>
    chargeCaller(tools, response, callerOf(response), { door: 'rest', store, management: 0 })

  async function takeLookedUp(price: Price, request: Request, response: Response): Promise<void> {
    let store = 1
    let isKnown = false
    try {
      isKnown = await mayAsk(tools, callerOf(response))
      if (isKnown) store = await price(request, response)
    } finally {
      // Whatever keeps the price from being found costs as much as any other request.
      await take(response, store)
    }
    if (isKnown) return
    // The minute that was used up has ended since, and one of the price is paid.
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

/** Nothing is looked up for a caller who is going to be refused anyway. */
async function mayAsk({ limiter, config }: Tools, caller: Caller): Promise<boolean> {
  requireServed(caller.project)
  const charge = projectCharge(caller, config.ban, { store: 1, management: 0 })
  const { outcome } = await limiter.get(charge.subject, charge)
  return outcome === 'accepted'
}
