import type { RequestHandler } from 'express'
import type { Tools } from '../tools.ts'
import type {} from './locals.ts'
import { nameRequest, type RequestNames } from './request-names.ts'

/** Names the request, and says in one log line and one measurement what became of it. */
export function observe(tools: Tools): RequestHandler {
  return ({ method, headers }, response, next) => {
    const startedAt = performance.now()
    const names = nameRequest(headers)
    response.locals.requestId = names.requestId
    response.locals.traceparent = names.traceparent
    tools.metrics.requests.inFlight++
    response.on('close', () => {
      tools.metrics.requests.inFlight--
      const { route = 'none', caller, decision } = response.locals
      recordAnswer(tools, {
        ...names,
        method,
        route,
        status: response.statusCode,
        startedAt,
        refusal: decision && decision.outcome !== 'accepted' ? decision.outcome : null,
        project: caller?.project.slug,
        key: caller?.key.prefix,
        aborted: response.writableFinished ? undefined : true,
      })
    })
    next()
  }
}

type Answered = RequestNames & {
  method: string
  route: string
  status: number
  startedAt: number
  refusal?: 'limited' | 'banned' | null
  project?: string | undefined
  key?: string | undefined
  aborted?: true | undefined
}

/** Never a secret, and nothing that the sender made up but the request's names. */
export function recordAnswer({ log, metrics }: Tools, answered: Answered): void {
  const { requestId, traceparent, method, route, status, startedAt, refusal = null } = answered
  const { project, key, aborted } = answered
  const milliseconds = Math.round((performance.now() - startedAt) * 1000) / 1000
  metrics.countAnswer(method, route, status, milliseconds / 1000, refusal)
  log.info({ requestId, traceparent, method, route, status, milliseconds, project, key, aborted })
}
