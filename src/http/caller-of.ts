import type { Response } from 'express'
import type { Caller } from '../core/callers.ts'
import type { Verdict } from '../core/limits.ts'

/** Who is calling; asked only behind `authenticate`. */
export function callerOf(response: Response): Caller {
  if (!response.locals.caller) throw new Error('asked who is calling before finding out')
  return response.locals.caller
}

/** What the limiter said; asked only behind `charge`. */
export function verdictOf(response: Response): Verdict {
  if (!response.locals.verdict) throw new Error('asked for the verdict before charging')
  return response.locals.verdict
}
