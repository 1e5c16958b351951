import type { Request, Response } from 'express'
import { answerJson } from '../http/answer.ts'
import { callerOf, decisionOf } from '../http/locals.ts'
import { requireNoParameters } from './parameters.ts'

/** Answers the state of both windows of the plan, and when a ban ends. The request is free. */
export function getRateLimitRoute() {
  return async (request: Request, response: Response): Promise<void> => {
    requireNoParameters(request)
    const { project } = callerOf(response)
    const { windows, banEndsAt } = decisionOf(response)
    answerJson(
      response,
      200,
      JSON.stringify({
        plan: project.planName,
        windows: windows.map(({ name, limit, remaining, resetAt }) => ({
          name,
          limit,
          remaining,
          resetAt: new Date(resetAt),
        })),
        ban: banEndsAt === null ? null : { endsAt: new Date(banEndsAt) },
      }),
    )
  }
}
