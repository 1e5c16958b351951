import type { Response } from 'express'

/** Counts the time since `beganAt` as a delay, which the response times leave out. */
export function noteDelay({ locals }: Response, beganAt: number): void {
  locals.delayedMs = (locals.delayedMs ?? 0) + performance.now() - beganAt
}

/** Awaits a project's own server. The service cannot answer sooner, so the response times leave this time out. */
export async function awaitServer<Answer>(response: Response, answer: Promise<Answer>): Promise<Answer> {
  const beganAt = performance.now()
  try {
    return await answer
  } finally {
    noteDelay(response, beganAt)
  }
}
