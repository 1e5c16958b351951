import type { Response } from 'express'
import type { Caller } from '../core/keys/caller.ts'
import type { Decision } from '../core/projects/limits.ts'

/** The caller; to be used only behind `authenticate`. */
export function callerOf(response: Response): Caller {
  if (!response.locals.caller) throw new Error('callerOf was called before authenticate')
  return response.locals.caller
}

/** The limiter's decision; to be used only behind `charge`. */
export function decisionOf(response: Response): Decision {
  if (!response.locals.decision) throw new Error('decisionOf was called before charge')
  return response.locals.decision
}
