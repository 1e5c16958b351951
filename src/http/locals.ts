import type { ServedHost } from '../core/domains/served-hosts.ts'
import type { Caller } from '../core/keys/caller.ts'
import type { Decision } from '../core/projects/limits.ts'
import type { Charge } from '../limiter/charge.ts'
import type { Bill } from './charge.ts'

declare global {
  namespace Express {
    /** What a request gathers on its way; each part is set by the step of src/http that bears its name. */
    interface Locals {
      requestId: string
      /** The sender's own trace, where it tells one. */
      traceparent?: string | undefined
      /** What the answer is going to say of itself: names and values in turn; gone once they are set on the response. */
      headers?: string[]
      /** The route's pattern, for logs and metrics: bounded in number, unlike paths. */
      route?: string
      /** A GraphQL operation by its kind and root fields: words of the schema, bounded in length. */
      operation?: string
      /** The project's host that was called; absent at the service's own address. */
      host?: ServedHost
      caller?: Caller
      /** The name of the operator who is asking. */
      operator?: string
      decision?: Decision
      /** Accepted charges, to be given back if the answer is a 503. */
      charged?: readonly { charge: Charge; decision: Decision }[]
      /** What is counted as the caller's use, once it is known what became of it. */
      bill?: Bill
      /** Its body broke off and was refused, whatever the app is still about to say to the rest of it. */
      isRefused?: true
      /** The worst status that an error in a GraphQL answer bears, under whatever status that goes out. */
      worstStatus?: number
      /** Errors are all that a GraphQL answer has. */
      hasNoData?: boolean
    }
  }
}
