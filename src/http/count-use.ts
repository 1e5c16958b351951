import type { Response } from 'express'
import type { Outcome } from '../core/usage/counts.ts'
import type { Tools } from '../tools.ts'

/**
 * Counts the caller's use once, when the outcome of the request is known. `milliseconds` is the latency of the answer.
 */
export function countUse(
  { usageCounter }: Pick<Tools, 'usageCounter'>,
  { locals, statusCode }: Response,
  milliseconds?: number,
): void {
  const { caller, bill, charged = [], decision, worstStatus = 0 } = locals
  if (!caller || !bill) return
  locals.bill = undefined
  const { door, store } = bill
  const isRefused = store > 0 && decision !== undefined && decision.outcome !== 'accepted'
  if (isRefused) usageCounter.countRequest(caller, door, 'refused', store, milliseconds)
  // A refused request may have been charged for what was read before the refusal, or for the mutations before the
  // refused one. Count this use too.
  if (isRefused && charged.length === 0) return
  const outcome = outcomeOf(Math.max(statusCode, worstStatus))
  usageCounter.countRequest(caller, door, outcome, store, isRefused ? undefined : milliseconds)
}

export function outcomeOf(status: number): Outcome {
  if (status >= 500) return 'failed'
  return status >= 400 ? 'faulty' : 'served'
}
