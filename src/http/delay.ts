import type { Response } from 'express'

/** Counts the time since `beganAt` as a delay on purpose. */
export function noteDelay({ locals }: Response, beganAt: number): void {
  locals.delayedMs = (locals.delayedMs ?? 0) + performance.now() - beganAt
}
