import { setTimeout as pause } from 'node:timers/promises'
import type { Response } from 'express'
import { openDelays, type Pace } from '../tools/delays.ts'

/** The pace of one subject's refusals in one process. */
export const paceOfRefusals: Pace = { burst: 100, perSecond: 100, longestMs: 1_000 }

export type RefusalPace = {
  /** Counts a refused charge. Waits before the answer of its request, once for each request. */
  wait(subject: string, response: Response): Promise<void>
}

/**
 * Delays the refusals of a subject that keeps sending. Otherwise a client that repeats each refused request at once would
 * get thousands of refusals a second, and other clients would lack their CPU time.
 */
export function openRefusalPace(): RefusalPace {
  const delayOf = openDelays(paceOfRefusals)
  return {
    async wait(subject, response) {
      // Count each call of a batch: a request may hold twenty.
      const ms = delayOf(subject, performance.now())
      if (response.locals.isDelayed) return
      response.locals.isDelayed = true
      if (ms > 0) await pause(ms)
    },
  }
}
