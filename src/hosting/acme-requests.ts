import { AsyncLocalStorage } from 'node:async_hooks'
import type { Agent } from 'node:https'
import acme from 'acme-client'
import type { Clock } from '../tools/clock.ts'
import { mistakeOf, readRetryAfter, refusalIn } from './acme-errors.ts'
import { AuthorityRefusal } from './certificate-authority.ts'

/** The authority that requests are sent to. */
export type RequestTerms = {
  directoryUrl: string
  /** Names the authority at the beginning of an error. */
  who: string
  /** An agent that also trusts the root certificates of the configuration; null trusts only the usual ones. */
  agent: Agent | null
  clock: Clock
}

/** `check` runs before each request. If `check` throws, the request is not sent. */
type Context = RequestTerms & { check: () => Promise<void>; stoppedBy?: unknown }

/**
 * The library has one HTTP client for all authorities. This storage tells which authority a request belongs to, also if
 * the authority's addresses are on several hosts.
 */
const asking = new AsyncLocalStorage<Context>()
const requestTimeoutMs = 15_000
let isWatching = false

/**
 * Runs `act`. All requests that the library sends during `act` go to this authority. Every rejection becomes an
 * AuthorityRefusal.
 */
export function sendTo<R>(
  terms: RequestTerms,
  check: () => Promise<void>,
  act: () => Promise<R>,
): Promise<R> {
  return asking.run({ ...terms, check }, act)
}

/** Prepares the library's client, once for all authorities. */
export function watchRequests(): void {
  if (isWatching) return
  isWatching = true
  // The library must not retry, because the durable job retries, within the pauses that all processes share.
  Object.assign(acme.axios.defaults, {
    timeout: requestTimeoutMs,
    acmeSettings: { retryMaxAttempts: 0, retryDefaultDelay: 0 },
  })
  acme.axios.interceptors.request.use(async request => {
    const context = asking.getStore()
    if (!context) return request
    // Check for a pause before each request, not only before the first: during an order for another name, the authority
    // may have asked for a pause of the whole account.
    await context.check().catch(error => {
      context.stoppedBy = error
      throw error
    })
    return context.agent ? { ...request, httpsAgent: context.agent } : request
  })
  acme.axios.interceptors.response.use(
    response => {
      const context = asking.getStore()
      return context ? readAnswer(context, response) : response
    },
    error => {
      const context = asking.getStore()
      if (!context || error === context.stoppedBy || error instanceof AuthorityRefusal) throw error
      throw new AuthorityRefusal('ca_unreachable', `${context.who} cannot be reached.`)
    },
  )
}

type Answer = {
  status: number
  headers: { [name: string]: unknown }
  config: { url?: string }
  data?: unknown
}

/**
 * Throws for a rejection, and for a directory without addresses. Adds the time of the Retry-After header, which the
 * library would drop.
 */
function readAnswer<A extends Answer>({ who, directoryUrl, clock }: Context, answer: A): A {
  const refusal = refusalIn(answer, clock.now(), who)
  if (refusal) throw refusal
  const { data, config } = answer
  if (config.url === directoryUrl && !hasAddresses(data)) {
    throw mistakeOf(who, 'its directory has no addresses', data)
  }
  if (data && typeof data === 'object') Object.assign(data, { retryAt: readRetryAfter(answer, clock.now()) })
  return answer
}

function hasAddresses(directory: unknown): boolean {
  const addresses = (directory ?? {}) as Record<string, unknown>
  return ['newNonce', 'newAccount', 'newOrder'].every(name => URL.canParse(String(addresses[name])))
}
