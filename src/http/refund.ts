import type { Response } from 'express'
import { stoppedCharge } from '../core/projects/limits.ts'
import { acceptedOrRefused } from '../limiter/decision.ts'
import type { Tools } from '../tools.ts'
import { type Charged, decide, paidBy } from './charge.ts'
import { addHeader } from './headers.ts'

/**
 * Refunds the charges of a request that got a 503, or of a GraphQL operation without data whose worst error has the
 * status 503.
 */
export function giveBack(tools: Tools, { locals, statusCode }: Response): void {
  if (statusCode !== 503 && !(locals.worstStatus === 503 && locals.hasNoData)) return
  void refundFailed(tools, locals.charged ?? [], locals.isStopped)
}

/** Refunds the charges of a call that got a 503. `isStopped`: PostgreSQL stopped a statement of the call. */
export async function refundFailed(tools: Tools, all: readonly Charged[], isStopped = false): Promise<void> {
  const [first] = all
  if (!first || (isStopped && !(await mayRefundStopped(tools, first.charge.subject)))) return
  for (const charged of all) void refund(tools, charged)
}

async function mayRefundStopped({ limiter, log }: Tools, subject: string): Promise<boolean> {
  const charge = stoppedCharge(subject)
  const decision = await acceptedOrRefused(limiter.consume(charge.subject, charge.points, charge)).catch(
    error => log.error({ error }, 'unhandled error'),
  )
  return decision?.outcome === 'accepted'
}

/**
 * Reduces the charge of the request to `kept` points: refunds the other points and corrects the headers. Call this
 * function if the request turns out to repeat an earlier request, because a repeat costs less. The service knows that a
 * request is a repeat only after the earlier request has finished.
 */
export async function keepPart(tools: Tools, response: Response, kept: number): Promise<void> {
  const { charged = [], bill } = response.locals
  const paid = paidBy(response)
  const [last] = charged.slice(-1)
  if (!last || paid <= kept) return
  let back = paid - kept
  const left: Charged[] = []
  for (const { charge, decision } of charged) {
    const points = Math.min(charge.points, back)
    back -= points
    if (points > 0) await refund(tools, { charge: { ...charge, points }, decision })
    if (points < charge.points) left.push({ charge: { ...charge, points: charge.points - points }, decision })
  }
  response.locals.charged = left
  if (bill) response.locals.bill = { ...bill, store: kept }
  addHeader(response, 'X-RateLimit-Cost', String(kept))
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
