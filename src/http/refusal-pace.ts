import { setTimeout as pause } from 'node:timers/promises'
import type { Request, Response } from 'express'
import { openDelays, type Pace } from '../tools/delays.ts'
import { noteDelay } from './delay.ts'

/**
 * The pace of the refusals that one process sends to one subject, for example a project, a person, the operator keys
 * or an IP address. Refusals beyond this pace are delayed.
 */
export const paceOfRefusals: Pace = { burst: 100, perSecond: 30, longestMs: 1_000 }

/** This many unread bytes of a refused request count as one more refusal. */
const bytesOfARefusal = 16 * 1024

export type RefusalPace = {
  /** Counts a refused charge, and delays the answer to its request. A request is delayed only once. */
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
      // Count each call of a batch: a request may contain twenty calls.
      const now = performance.now()
      const ms = delayOf(subject, now, weightOf(response.req))
      if (response.locals.isDelayed) return
      response.locals.isDelayed = true
      if (ms === 0) return
      await pause(ms)
      noteDelay(response, now)
    },
  }
}

/**
 * Returns how many refusals a refused request counts as. A request with a large unread body costs as much as many
 * requests without a body, because the operating system receives the body and the connection must be closed after the
 * answer. A body of unknown length counts as a whole burst. No request counts as more than a burst, so the first
 * refusal of a client is never delayed.
 */
function weightOf({ complete, headers }: Request): number {
  if (complete) return 1
  if (headers['transfer-encoding'] !== undefined) return paceOfRefusals.burst
  const unread = Number(headers['content-length'] ?? 0)
  return Math.min(paceOfRefusals.burst, 1 + Math.floor(unread / bytesOfARefusal))
}
