import type { Response } from 'express'
import { StoreError } from '../core/errors.ts'
import type { Caller } from '../core/keys/caller.ts'
import { requireServed } from '../core/project.ts'
import { freeReadCharge, projectCharge, refusalOf } from '../core/projects/limits.ts'
import type { Door } from '../core/usage/counts.ts'
import type { Charge } from '../limiter/charge.ts'
import { acceptedOrRefused, type Decision } from '../limiter/decision.ts'
import type { Tools } from '../tools.ts'
import { countUse } from './count-use.ts'
import { type Bill, callerOf } from './locals.ts'
import { addRateLimitHeaders } from './rate-limit-headers.ts'

/**
 * Charges the caller. Throws if the limiter refuses, or if the project is suspended. A charge of 0 only adds the limit
 * headers.
 */
export async function chargeCaller(
  tools: Tools,
  response: Response,
  caller: Caller,
  bill: Bill,
): Promise<Decision> {
  const { bill: paid } = response.locals
  let isAccepted = false
  try {
    const { decision } = await chargeProject(tools, response, caller, bill)
    isAccepted = true
    requireServed(caller.project)
    return decision
  } finally {
    // `countUse` counts only requests with `locals.bill`. Set it for a refused request only if the request would have been
    // charged to the store's budget, because the usage does not count refusals by other budgets. If the request has
    // already been charged, keep that charge.
    const { bill: uncounted } = response.locals
    if (isAccepted) response.locals.bill = uncounted ? sumOf(uncounted, bill) : bill
    else if (bill.store > 0 && !paid) response.locals.bill = bill
    // `observe` counts the use when the response closes. If the client left before this charge or during it, count the
    // use here.
    if (response.closed) countUse(tools, response)
  }
}

const sumOf = (paid: Bill, more: Bill): Bill => ({
  ...more,
  store: paid.store + more.store,
  management: paid.management + more.management,
})

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
  if (charge.points > 0 && decision.outcome !== 'accepted') {
    // The message names the cost only if the store's budget alone was charged.
    throw refusalOf(decision, management > 0 ? 0 : store)
  }
  return { charge, decision }
}

/** Counts `reads` more free reads of the caller's project. Returns false if the reads come too fast. */
export async function isFairRead({ limiter }: Tools, caller: Caller, reads = 1): Promise<boolean> {
  const charge = freeReadCharge(caller)
  const decision = await acceptedOrRefused(limiter.consume(charge.subject, reads, charge))
  return decision.outcome === 'accepted'
}

/** Charges a person, an operator or an IP address, which have no usage statistics. Throws if the limiter refuses. */
export async function chargeSubject(tools: Tools, response: Response, charge: Charge): Promise<Decision> {
  const decision = await decide(tools, response, charge)
  if (charge.points > 0 && decision.outcome !== 'accepted') throw refusalOf(decision)
  return decision
}

/** Charges and adds the rate limit headers. A charge of 0 only reads the counters. */
export async function decide(tools: Tools, response: Response, charge: Charge): Promise<Decision> {
  const { limiter, metrics } = tools
  const { subject, points } = charge
  const decision = await (points > 0
    ? acceptedOrRefused(limiter.consume(subject, points, charge))
    : limiter.get(subject, charge))
  response.locals.decision = decision
  addRateLimitHeaders(response, decision)
  if (decision.banBegins) metrics.countBan()
  if (points > 0 && decision.outcome !== 'accepted') {
    tools.workTurns.end(response)
    await tools.refusalPace.wait(subject, response)
  }
  if (points > 0 && decision.outcome === 'accepted') {
    response.locals.charged = [...(response.locals.charged ?? []), { charge, decision }]
    const turn = tools.workTurns.wait(() => charge, response)
    if (turn) await turn
  }
  return decision
}

/**
 * Waits for the caller's turn: while other projects are at work, only a few requests of a caller are served at once.
 * Returns undefined if the request need not wait.
 */
export function waitForWorkTurn({ config, workTurns }: Tools, response: Response): Promise<void> | undefined {
  const { caller } = response.locals
  return caller && workTurns.wait(() => chargeOfOne(config, caller), response)
}

/**
 * Charges for data that a request is about to read from the database, but not more than the budget has left. Throws if
 * nothing is left, so that the data is not read. If the reading were charged afterwards, many concurrent requests could
 * all read before the first charge, and together read more than the budget has left.
 */
export async function payReading(tools: Tools, response: Response, bill: Bill): Promise<void> {
  const caller = callerOf(response)
  const budget = await findBudget(tools, caller)
  if (budget.outcome !== 'accepted') throw refusalOf(budget)
  const store = Math.min(bill.store, leftIn(budget))
  await chargeCaller(tools, response, caller, { ...bill, store })
}

/** The requests that this request has paid so far. */
export const paidBy = ({ locals: { charged = [] } }: Response): number =>
  charged.reduce((sum, { charge }) => sum + charge.points, 0)

/** True if the caller's project has paid for the request. A client whose key has ended pays by its IP address instead. */
export function hasPaid({ config }: Tools, response: Response): boolean {
  const { subject } = chargeOfOne(config, callerOf(response))
  return response.locals.charged?.some(({ charge }) => charge.subject === subject) ?? false
}

/**
 * If the price of a request is refused, charges for the body that was already read, but not more than the budget has
 * left. Without this charge, a client with one request left could make the service read large bodies again and again.
 * If the reading cost less than two requests, nothing is charged.
 */
export async function chargeReading(tools: Tools, response: Response, door: Door): Promise<void> {
  const { readingCost = 1, decision } = response.locals
  if (readingCost < 2) return
  const caller = callerOf(response)
  const store = Math.min(readingCost, await findLeft(tools, caller))
  if (store === 0) return
  try {
    await chargeProject(tools, response, caller, { store, management: 0 })
  } catch (error) {
    // Another request has used up the budget since `findLeft` read it.
    if (error instanceof StoreError) return
    throw error
  }
  response.locals.bill = { door, store, management: 0 }
  if (response.closed) countUse(tools, response)
  // The metrics and the usage count the answer as a refusal, although the reading was charged.
  if (decision) response.locals.decision = decision
}

/**
 * True if a charge of 1 would be accepted, so that it is worth finding the price. Throws if the project is suspended.
 */
export async function mayAsk(tools: Tools, caller: Caller): Promise<boolean> {
  requireServed(caller.project)
  return (await findBudget(tools, caller)).outcome === 'accepted'
}

export async function findLeft(tools: Tools, caller: Caller): Promise<number> {
  return leftIn(await findBudget(tools, caller))
}

const leftIn = ({ windows }: Decision) => Math.min(...windows.map(({ remaining }) => remaining))

export function findBudget({ limiter, config }: Tools, caller: Caller): Promise<Decision> {
  const charge = chargeOfOne(config, caller)
  return limiter.get(charge.subject, charge)
}

const chargeOfOne = ({ ban }: Tools['config'], caller: Caller): Charge =>
  projectCharge(caller, ban, { store: 1, management: 0 })
