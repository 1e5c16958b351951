import { Resolver } from 'node:dns/promises'
import { Agent as HttpAgent, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { type Network, subtract, toBlockList } from './networks.ts'

/** The result of a request: the answer, or why there was none. */
export type OutgoingAnswer = {
  status: number | null
  retryAfter: string | undefined
  /** The beginning of the answer's body. */
  excerpt: string
  /** Why there was no answer; null if there was one. */
  problem: string | null
  ms: number
}

/** Sends requests to addresses that customers have chosen. */
export type Outgoing = {
  /**
   * Returns why requests to the address are forbidden; null if they are allowed, or if the name is not resolved yet.
   */
  refusalOf(url: URL): Promise<string | null>
  post(url: URL, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<OutgoingAnswer>
  close(): void
}

const timeoutMs = 15_000
/**
 * A connection without a request is closed after this time. Otherwise each endpoint would keep a connection forever.
 */
const idleMs = 30_000
/**
 * The most idle connections to one host. All endpoints of one project may be on one host, and a new connection costs
 * both sides more than a request.
 */
const mostFreeOfHost = 20
const excerptBytes = 1_024
/**
 * An answer that comes in more pieces is left: interim answers and chunks of one byte cost the process much CPU, even if
 * they are few bytes.
 */
const mostPieces = 1_000
/** The contract limits `problem` to this number of characters. */
const longestProblem = 300
const notPublic = 'leads to an address that is not public'

/**
 * Sends requests only to addresses outside of `blocked`, and to those in `allowed`. The addresses of a name are checked
 * for each connection, so a name that has passed the check cannot point to a private address later. The agents' own
 * option `blockList` is not used, because it has no effect over https. The agents are used for nothing else, because an
 * open connection of a shared agent would be reused without a check. Redirects are not followed.
 */
export function openOutgoing(blocked: readonly Network[], allowed: readonly Network[]): Outgoing {
  const blockList = toBlockList(blocked.flatMap(network => subtract(network, allowed)))
  const isBlocked = (address: string) => blockList.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
  const options = {
    keepAlive: true,
    maxFreeSockets: mostFreeOfHost,
    timeout: idleMs,
    lookup: lookUp(isBlocked),
  }
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) }

  return {
    async refusalOf(url) {
      return (await addressesOf(hostOf(url))).some(({ address }) => isBlocked(address)) ? notPublic : null
    },

    post(url, headers, body, signal) {
      const beganAt = performance.now()
      const bytes = Buffer.from(body)
      const isSecure = url.protocol === 'https:'
      return new Promise(resolve => {
        let end: Omit<OutgoingAnswer, 'ms'> = {
          status: null,
          retryAfter: undefined,
          excerpt: '',
          problem: null,
        }
        const finish = (more: Partial<OutgoingAnswer>) => {
          end = { ...end, ...more }
          resolve({ ...end, ms: Math.round(performance.now() - beganAt) })
        }
        // An agent does not call `lookup` for an address, so check the address here.
        const host = hostOf(url)
        if (isIP(host) !== 0 && isBlocked(host)) {
          finish({ problem: sentenceOf(faultOf('ERR_IP_BLOCKED'), signal) })
          return
        }
        let pieces = 0
        const request = (isSecure ? requestHttps : requestHttp)(
          url,
          {
            method: 'POST',
            agent: isSecure ? agents.https : agents.http,
            headers: { ...headers, 'content-length': bytes.length },
            signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
          },
          response => {
            end = {
              ...end,
              status: response.statusCode ?? null,
              retryAfter: response.headers['retry-after'],
            }
            const parts: Buffer[] = []
            let length = 0
            response.on('data', (part: Buffer) => {
              pieces++
              if (length < excerptBytes) parts.push(part)
              length += part.length
              // Close the connection: the excerpt is complete, and an endless answer would keep the request open
              // forever.
              if (length > 64 * excerptBytes || pieces > mostPieces) response.destroy()
            })
            response.on('close', () =>
              finish({ excerpt: Buffer.concat(parts).subarray(0, excerptBytes).toString() }),
            )
            response.on('error', () => {})
          },
        )
        request.on('information', () => {
          pieces++
          if (pieces > mostPieces) request.destroy(faultOf('TOO_MANY_PIECES'))
        })
        // Without this listener Node.js would end an answer of 101 without any event for us.
        request.on('upgrade', (response, socket) => {
          socket.destroy()
          finish({ status: response.statusCode ?? null })
        })
        request.on('error', error =>
          finish({ problem: end.status === null ? sentenceOf(error, signal) : null }),
        )
        request.end(bytes)
      })
    },

    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

// Do not use getaddrinfo: it occupies the few threads of the process, so names whose DNS servers do not answer would
// block all other lookups.
const resolver = new Resolver({ timeout: 2_000, tries: 2 })

type Address = { address: string; family: 4 | 6 }

async function addressesOf(host: string): Promise<Address[]> {
  const family = isIP(host)
  if (family !== 0) return [{ address: host, family: family === 4 ? 4 : 6 }]
  if (host === 'localhost') return [...toAddresses(4, ['127.0.0.1']), ...toAddresses(6, ['::1'])]
  const [four, six] = await Promise.all([
    resolver.resolve4(host).catch(() => []),
    resolver.resolve6(host).catch(() => []),
  ])
  return [...toAddresses(4, four), ...toAddresses(6, six)]
}

const toAddresses = (family: 4 | 6, addresses: string[]): Address[] =>
  addresses.map(address => ({ address, family }))

const lookUp =
  (isBlocked: (address: string) => boolean): LookupFunction =>
  (host, { all }, done) => {
    const answer = (found: Address[]) => {
      const [first] = found
      if (!first) done(faultOf('ENOTFOUND'), '', 4)
      else if (found.some(({ address }) => isBlocked(address))) done(faultOf('ERR_IP_BLOCKED'), '', 4)
      else if (all) done(null, found)
      else done(null, first.address, first.family)
    }
    addressesOf(host).then(answer)
  }

const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')

const faultOf = (code: string) => Object.assign(new Error(code), { code })

const sentences: Record<string, string> = {
  ERR_IP_BLOCKED: `it ${notPublic}`,
  TOO_MANY_PIECES: 'its answer came in too many pieces',
  ENOTFOUND: 'its name has no address',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before an answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the connection timed out',
  // Node's own message lists all names of the certificate.
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for other names',
  ABORT_ERR: `no answer within ${timeoutMs / 1000} s`,
  TimeoutError: `no answer within ${timeoutMs / 1000} s`,
}

function sentenceOf(error: Error & { code?: string }, signal: AbortSignal): string {
  if (signal.aborted) return 'the attempt was broken off, since the service was stopping'
  const causes = error instanceof AggregateError ? (error.errors as (Error & { code?: string })[]) : [error]
  const code = causes[0]?.code ?? ''
  return (
    sentences[code] ??
    sentences[error.name] ??
    `the connection failed: ${causes[0]?.message ?? error.message}`.slice(0, longestProblem)
  )
}
