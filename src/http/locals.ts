import type { Response } from 'express'
import type { ServedHost } from '../core/domains/served-hosts.ts'
import type { Caller } from '../core/keys/caller.ts'
import type { Decision } from '../core/projects/limits.ts'
import type { Door } from '../core/usage/counts.ts'
import type { Charge } from '../limiter/charge.ts'

/** The requests that an operation costs its project in the two budgets, and the API that it came by. */
export type Bill = { door: Door; store: number; management: number }

declare global {
  namespace Express {
    /** The state of a request; the file of the same name in src/http sets each property. */
    interface Locals {
      requestId: string
      /** The client's own trace, if it sent one. */
      traceparent?: string | undefined
      /** Headers to send: names and values alternate. Deleted when they are set on the response. */
      headers?: string[]
      /** The route's pattern, for logs and metrics: bounded in number, unlike paths. */
      route?: string
      /** A GraphQL operation by its kind and root fields: words of the schema, bounded in length. */
      operation?: string
      /** The project's host of this request; absent at the service's own address. */
      host?: ServedHost
      caller?: Caller
      /** The operator's name, if the request has an operator key. */
      operator?: string
      decision?: Decision
      /** Accepted charges, to be refunded if the answer is a 503. */
      charged?: readonly { charge: Charge; decision: Decision }[]
      /** The use to count for the caller once the outcome is known. */
      bill?: Bill
      /** The body broke off and the client got an error, so later answers of the app are dropped. */
      isRefused?: true
      /** The worst status of the errors in a GraphQL answer, whatever its HTTP status is. */
      worstStatus?: number
      /** True if a GraphQL answer has errors and no data. */
      hasNoData?: boolean
    }
  }
}

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
