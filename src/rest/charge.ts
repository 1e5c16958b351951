import type { Request, RequestHandler, Response } from 'express'
import {
  chargeCaller,
  chargeReading,
  findBudget,
  findLeft,
  hasPaid,
  isFairRead,
  paidBy,
} from '../http/charge.ts'
import { statusOf, toStoreError } from '../http/errors.ts'
import { callerOf } from '../http/locals.ts'
import type { Tools } from '../tools.ts'

/** Computes the cost of a request if it depends on more than the path. */
export type Price = (request: Request, response: Response) => Promise<number>

/**
 * Charges a REST request to the caller's project. The charge is the price of the path, or 1 if the path has no price.
 */
export function charge(tools: Tools, prices: Readonly<Record<string, number | Price>>): RequestHandler {
  /** Read the caller at the time of the charge: reading the body takes a while, and the caller may have changed. */
  const take = (response: Response, store: number) =>
    chargeCaller(tools, response, callerOf(response), { door: 'rest', store, management: 0 })

  /** A free request costs one management request if the project sends free requests too fast. */
  async function takeNothing(response: Response): Promise<void> {
    const caller = callerOf(response)
    if (!(await isFairRead(tools, caller)))
      await chargeCaller(tools, response, caller, { door: 'rest', store: 0, management: 1 })
    // Also after a charge to the management budget, the answer shows the store's windows.
    await take(response, 0)
  }

  async function takeComputed(price: Price, request: Request, response: Response): Promise<void> {
    const caller = callerOf(response)
    const { outcome } = await findBudget(tools, caller)
    // Skip the price of a request that cannot be paid or whose project is suspended: `take` refuses the request, with
    // the rate limit headers.
    if (!caller.project.suspended && outcome === 'accepted') {
      const store = await price(request, response).catch(async refusal => {
        // Finding the price may have charged for pets before reading them.
        if (hasPaid(tools, response)) throw refusal
        // If the price cannot be found, charge for what was read, but not more than the rest of the budget.
        const reading = Math.min(response.locals.readingCost ?? 1, await findLeft(tools, callerOf(response)))
        // If the client has left, the usage counts the request during this charge, so it needs the status now.
        response.status(statusOf[toStoreError(refusal).code])
        await take(response, Math.max(1, reading))
        throw refusal
      })
      await takeRest(response, store).catch(async refusal => {
        await chargeReading(tools, response, 'rest')
        throw refusal
      })
      return
    }
    await take(response, 1)
    // The charge of 1 was accepted, because the exhausted window has ended since the check above. So charge the rest of
    // the price too.
    await takeRest(response, await price(request, response))
  }

  /** Charges what the request has not paid yet: finding the price may have charged for a part of it. */
  async function takeRest(response: Response, whole: number): Promise<void> {
    const rest = whole - paidBy(response)
    if (rest > 0) await take(response, rest)
  }

  return async (request, response, next) => {
    const { method, path } = request
    const ofMethod = method === 'PATCH' || method === 'DELETE' ? prices[`${method} ${path}`] : undefined
    const price = ofMethod ?? prices[path] ?? 1
    if (price === 0) await takeNothing(response)
    else if (typeof price === 'number') await take(response, price)
    else await takeComputed(price, request, response)
    next()
  }
}
