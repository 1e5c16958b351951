import type { Response } from 'express'
import type { Caller } from '../core/keys/caller.ts'
import type { Decision } from '../core/projects/limits.ts'

/** Who is calling; asked only behind `authenticate`. */
export function callerOf(response: Response): Caller {
  if (!response.locals.caller) throw new Error('asked who is calling before finding out')
  return response.locals.caller
}

/** What the limiter said; asked only behind `charge`. */
export function decisionOf(response: Response): Decision {
  if (!response.locals.decision) throw new Error('asked for the decision before charging')
  return response.locals.decision
}
