import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import { logAnswer } from '../tools/log.ts'
import type { Tools } from '../tools.ts'
import { gatherHeader } from './gathered-headers.ts'
import type {} from './locals.ts'

/** Names the request, and says in one log line and one measurement what became of it. Never a secret. */
export function observe({ log, metrics }: Tools): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now()
    const requestId = randomUUID()
    response.locals.requestId = requestId
    gatherHeader(response, 'X-Request-Id', requestId)
    response.on('close', () => {
      const { route = 'none', caller, decision } = response.locals
      const endedAt = performance.now()
      const milliseconds = Math.round((endedAt - startedAt) * 1000) / 1000
      const refusal = decision && decision.outcome !== 'accepted' ? decision.outcome : null
      metrics.countAnswer(request.method, route, response.statusCode, milliseconds / 1000, refusal)
      logAnswer(log, {
        requestId,
        method: request.method,
        route,
        status: response.statusCode,
        milliseconds,
        project: caller?.project.slug,
        key: caller?.key.prefix,
        aborted: !response.writableFinished,
      })
    })
    next()
  }
}
