import type { RequestHandler } from 'express'
import { operatorInLog } from '../core/people/operators.ts'
import { type SpanIds, traceRequest } from '../tools/tracing.ts'
import type { Tools } from '../tools.ts'
import { countUse } from './count-use.ts'
import type {} from './locals.ts'
import { shownAddress } from './network.ts'
import { giveBack } from './refund.ts'
import { nameRequest, type RequestNames } from './request-names.ts'

/** Names the request. At its end, writes a log line, a measurement and a span, and counts the caller's use. */
export function observe(tools: Tools): RequestHandler {
  const { addresses } = tools.config.log
  return (request, response, next) => {
    const { method, headers } = request
    // Read the address now, because a closed connection has none.
    const address = addresses === 'none' ? undefined : shownAddress(request.ip, addresses)
    const startedAt = performance.now()
    const names = nameRequest(headers)
    response.locals.startedAt = startedAt
    response.locals.requestId = names.requestId
    response.locals.traceparent = names.traceparent
    tools.metrics.requests.inFlight++
    const place = tools.stalls.begin(response)
    traceRequest(method, headers, span => {
      response.on('close', () => {
        tools.metrics.requests.inFlight--
        tools.stalls.end(place)
        const { route = 'none', caller, operator, operation, decision } = response.locals
        const { streamsSince, delayedMs } = response.locals
        const status = response.statusCode
        recordAnswer(tools, {
          ...names,
          ...(span?.ids ?? idsOf(names)),
          ...{ method, route, status, startedAt, streamsSince, delayedMs },
          refusal: decision && decision.outcome !== 'accepted' ? decision.outcome : null,
          project: caller?.project.slug,
          key: caller?.person ? undefined : caller?.key.prefix,
          person: caller?.person?.id ?? operator?.person?.id ?? response.locals.person,
          operator: operator && operatorInLog(operator),
          ...{ operation, address },
          aborted: response.writableFinished ? undefined : true,
        })
        countUse(tools, response, untilAnswer(startedAt, streamsSince))
        giveBack(tools, response)
        span?.end(route, status, caller?.project.slug)
      })
      next()
    })
  }
}

/** The latency of an answer in milliseconds; of a stream, the time until it begins. */
function untilAnswer(startedAt: number, streamsSince = performance.now()): number {
  return streamsSince - startedAt
}

/** If the service has no span of its own, log the client's span. */
function idsOf({ traceparent }: RequestNames): Partial<SpanIds> {
  const [, traceId, spanId] = traceparent?.split('-') ?? []
  return traceId && spanId ? { traceId, spanId } : {}
}

type Answered = RequestNames &
  Partial<SpanIds> & {
    method: string
    route: string
    status: number
    startedAt: number
    /** When a stream began; its latency is the time until then. */
    streamsSince?: number | undefined
    /** How long the service delayed the request on purpose. */
    delayedMs?: number | undefined
    refusal?: 'limited' | 'banned' | null
    project?: string | undefined
    key?: string | undefined
    person?: string | undefined
    operator?: string | undefined
    operation?: string | undefined
    address?: string | undefined
    aborted?: true | undefined
  }

/**
 * Logs the request. The line contains no secrets. The ids of the request are the only texts in the line that the client
 * can choose.
 */
export function recordAnswer(
  { log, metrics, config }: Pick<Tools, 'log' | 'metrics' | 'config'>,
  answered: Answered,
): void {
  const { requestId, traceparent, traceId, spanId, method, route, status, startedAt } = answered
  const { refusal = null, project, key, person, operator, operation, address, aborted } = answered
  const milliseconds = Math.round((performance.now() - startedAt) * 1000) / 1000
  // The calls of a batch may wait at the same time, so the sum of the waits may be longer than the request took.
  const answeredMs = Math.max(0, untilAnswer(startedAt, answered.streamsSince) - (answered.delayedMs ?? 0))
  metrics.countAnswer(method, route, status, answeredMs / 1000, refusal)
  if (refusal && project) metrics.countProjectRefusal(project)
  const share = config.log.requests
  // Log every failure, every request of an operator, and a share of the others. The line contains the share, so that counts
  // can be scaled up.
  const isSampled = share < 1 && status < 400 && !aborted && operator === undefined
  if (isSampled && Math.random() >= share) return
  log.info({
    requestId,
    traceparent,
    traceId,
    spanId,
    method,
    route,
    status,
    milliseconds,
    project,
    key,
    person,
    operator,
    operation,
    address,
    aborted,
    share: isSampled ? share : undefined,
  })
}
