import type { Response } from 'express'
import type { ServedHost } from '../core/domains/served-hosts.ts'
import type { Caller } from '../core/keys/caller.ts'
import type { Operator } from '../core/people/operators.ts'
import type { Door } from '../core/usage/counts.ts'
import type { Charge } from '../limiter/charge.ts'
import type { Decision } from '../limiter/decision.ts'
import type { Turn } from './work-turns.ts'

/** The cost of an operation in each of its project's two budgets, and the API that was used. */
export type Bill = { door: Door; store: number; management: number }

declare global {
  namespace Express {
    /** The state of one request. Code that handles the request sets these properties and reads them later. */
    interface Locals {
      requestId: string
      /** In milliseconds of `performance.now()`. */
      startedAt: number
      /** The `traceparent` header of the client, if it sent one. */
      traceparent?: string | undefined
      /** Headers to send; names and values alternate. Deleted once they are set on the response. */
      headers?: string[]
      /** The route's pattern, for logs and metrics. Unlike paths, patterns are limited in number. */
      route?: string
      /** A GraphQL operation's kind and root fields: words of the schema, limited in length. */
      operation?: string
      /** The project's host; absent at the service's own addresses. */
      host?: ServedHost
      caller?: Caller
      /** The operator that calls, by an operator key or a person's operator token. */
      operator?: Operator
      /** The id of the person who signs in. */
      person?: string
      decision?: Decision
      /** True if this request's refusal has been delayed already. */
      isDelayed?: true
      turn?: Turn
      /**
       * In milliseconds: how long this request waited for other requests of its client, for the pace of refusals, or for
       * a webhook endpoint. The metrics leave out this time, so that a client or its endpoint does not make the service
       * look slow.
       */
      delayedMs?: number
      /** Accepted charges, to be refunded if the client gets a 503. */
      charged?: readonly { charge: Charge; decision: Decision }[]
      /**
       * The use to count for the caller when the outcome is known: what was charged, or the price that was refused.
       * Undefined again once it is counted.
       */
      bill?: Bill | undefined
      /** True if the body had a fault and the client got the error. Later answers of the app are dropped. */
      isRefused?: true
      /** The worst status of the errors in a GraphQL answer, regardless of its HTTP status. */
      worstStatus?: number
      /**
       * The cost, in requests, of what was read from the body before the charge. A refused request pays this cost too.
       */
      readingCost?: number
      /** The number of tools that an agent has run with this request. */
      toolsRun?: number
      /**
       * When a stream began, in milliseconds of `performance.now()`. The latency of a stream is measured until this
       * time, because a stream may last an hour although the service is fast.
       */
      streamsSince?: number
      /** True if PostgreSQL stopped a statement of the request, because its time limit had passed. */
      isStopped?: true
      /** True if a GraphQL answer has errors and no data. */
      hasNoData?: boolean
    }
  }
}

/** Returns the caller. Use only after `authenticate`. */
export function callerOf(response: Response): Caller {
  if (!response.locals.caller) throw new Error('callerOf was called before authenticate')
  return response.locals.caller
}

/** Returns the limiter's decision. Use only after `charge`. */
export function decisionOf(response: Response): Decision {
  if (!response.locals.decision) throw new Error('decisionOf was called before charge')
  return response.locals.decision
}
