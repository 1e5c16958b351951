import type { Response } from 'express'
import type { Outcome } from '../core/usage/counts.ts'
import type { Tools } from '../tools.ts'

/** Counts the caller's use once the outcome of the request is known. */
export function countUse({ usageCounter }: Tools, { locals, statusCode }: Response): void {
  const { caller, bill, decision, worstStatus = 0 } = locals
  if (!caller || !bill) return
  const isRefused = bill.store > 0 && decision !== undefined && decision.outcome !== 'accepted'
  const outcome = isRefused ? 'refused' : outcomeOf(Math.max(statusCode, worstStatus))
  usageCounter.countRequest(caller, bill.door, outcome, bill.store)
}

function outcomeOf(status: number): Outcome {
  if (status >= 500) return 'failed'
  return status >= 400 ? 'faulty' : 'served'
}
