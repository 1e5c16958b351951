import { TLSSocket } from 'node:tls'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { ServedHost } from '../core/domains/served-hosts.ts'
import { StoreError } from '../core/errors.ts'
import type { Tools } from '../tools.ts'
import { answerEmpty } from './answer.ts'
import { refuseAnonymous, requireAnonymousBudget, showAnonymousLimits } from './authenticate.ts'
import { openAcmeChallenges } from './challenge.ts'
import { versionNotSupported } from './errors.ts'
import { addHeader, removeHeader } from './headers.ts'
import { hostNameOf, portOf, serviceAddressTest } from './host-name.ts'

/** Finds the project of the request's host. The service's own addresses belong to no project. */
export function routeByHost(tools: Tools): RequestHandler {
  const isOwnAddress = serviceAddressTest(tools.config)
  const answerChallenge = openAcmeChallenges(tools)
  return (request, response, next) => {
    const name = hostNameOf(request.headers.host)
    const secureName = secureNameOf(request)
    const isOwn = secureName === null && isOwnAddress(name)
    // Send no HSTS header on project hosts: projects decide about HTTPS on their hosts, and a promise of one year could
    // outlast a project's use of the domain.
    if (!isOwn) removeHeader(response, 'Strict-Transport-Security')
    const fault = faultOf(request)
    if (fault) return refuse(tools, request, response, fault)
    if (isOwn) return next()
    return routeToProject(name, secureName, request, response, next)
  }

  async function routeToProject(
    name: string,
    secureName: string | null,
    request: Request,
    response: Response,
    next: NextFunction,
  ): Promise<void> {
    // A connection whose certificate is for one name must not request another name (RFC 9110, 7.4).
    if (secureName !== null && secureName !== name) return refuse(tools, request, response, misdirected())
    if (await answerChallenge(request, response, name)) return
    const { hosts } = tools.hosting
    const cached = hosts.findCached(name)
    // Refuse an IP address that has asked for too many unknown hosts, before querying the database again.
    if (!cached && !hosts.isKnown(name)) await requireAnonymousBudget(tools, request, response)
    const fail = (fault: unknown) => refuse(tools, request, response, fault)
    const host = cached ?? (await hosts.find(name).catch(fail))
    if (!host) throw await refuseAnonymous(tools, request, response, misdirected())
    // Never redirect a preflight, because browsers do not follow the redirect. Never redirect a request to a suspended
    // host.
    const stays = request.method === 'OPTIONS' || host.isSuspended
    const elsewhere = stays ? null : await otherAddressOf(tools, request, host).catch(fail)
    if (elsewhere) return redirect(tools, request, response, elsewhere)
    response.locals.host = host
    next()
  }
}

function faultOf(request: Request): StoreError | null {
  // Node.js parses HTTP/2.0 and HTTP/0.9 as if they were 1.1 (RFC 9110, 15.6.6).
  if (!['1.1', '1.0'].includes(request.httpVersion)) return versionNotSupported()
  let given = 0
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const name = request.rawHeaders[i] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') given++
  }
  if (given > 1) return malformed('The request has more than one Host header.')
  if (given === 0 && request.httpVersion !== '1.0') return malformed('The request has no Host header.')
  if ((portOf(request.headers.host) ?? 0) > 65_535)
    return malformed('The port in the Host header must be at most 65535.')
  const coding = request.headers['transfer-encoding']
  if (coding !== undefined && !/^chunked$/i.test(coding)) {
    return new StoreError('not_implemented', 'The only known transfer coding is chunked.')
  }
  // An absolute URL in the request line overrides the Host header (RFC 9112, 3.2.2). Refuse the request if the two
  // differ, because a proxy in front may have decided by the other one.
  const whole = /^([^:/?#]+):\/\/([^/?#]*)/.exec(request.originalUrl)
  if (!whole) return null
  if (!URL.canParse(request.originalUrl)) return malformed('The request line has no valid address.')
  const [, scheme = '', authority] = whole
  const isOurs = /^https?$/i.test(scheme) && hostNameOf(authority) === hostNameOf(request.headers.host)
  return isOurs ? null : misdirected()
}

const malformed = (message: string) => new StoreError('malformed_request', message)

/** The message omits the host, because an anonymous client sent it. */
const misdirected = () => new StoreError('misdirected_host', 'Nothing is served at this host.')

async function refuse(tools: Tools, request: Request, response: Response, fault: unknown): Promise<never> {
  await showAnonymousLimits(tools, request, response)
  throw fault
}

function secureNameOf({ socket }: Request): string | null {
  return socket instanceof TLSSocket ? String(socket.servername).toLowerCase() : null
}

type Elsewhere = { status: number; url: string }

/**
 * Returns the URL to redirect to; null if no redirect is needed. One redirect can change both the host and the scheme.
 */
async function otherAddressOf(
  { clock, config, hosting }: Tools,
  request: Request,
  host: ServedHost,
): Promise<Elsewhere | null> {
  const { httpsPort, httpsRedirect } = config.hosting
  const found = host.redirect && (await hosting.hosts.find(host.redirect.to))
  // Do not redirect to a host that is not served or now belongs to another project.
  const isRedirected = found?.projectId === host.projectId
  const target = isRedirected ? found : host
  const proxy =
    isRedirected && target.name.endsWith(`.${config.platformHost}`) ? new URL(config.publicUrl) : null
  // Redirect to HTTPS only if the target has a valid certificate. The proxy has the certificates of platform hosts.
  const certified = proxy
    ? proxy.protocol === 'https:'
    : httpsPort !== 0 && Number(target.certifiedUntil) > clock.now()
  const secure = certified && (httpsRedirect || request.secure)
  if (!isRedirected && (!secure || request.secure)) return null
  const own = { http: config.port, https: httpsPort }
  const port = secure && proxy ? proxy.port && `:${proxy.port}` : portOver(request, secure, own)
  return {
    status: isRedirected && host.redirect ? host.redirect.status : host.httpsRedirectStatus,
    url: `${secure ? 'https' : 'http'}://${target.name}${port}${request.url}`,
  }
}

/**
 * Returns the port for the redirect: the request's own, unless the scheme changes. If the scheme changes, a client that
 * is connected directly goes to this process' other port. Any other client goes to the default port, because the
 * balancer's ports are unknown here.
 */
function portOver(request: Request, toSecure: boolean, ports: { http: number; https: number }): string {
  const given = portOf(request.headers.host)
  if (given === null) return ''
  if (request.secure === toSecure) return `:${given}`
  const [own, other] = toSecure ? [ports.http, ports.https] : [ports.https, ports.http]
  return given === own ? `:${other}` : ''
}

async function redirect(
  tools: Tools,
  request: Request,
  response: Response,
  { status, url }: Elsewhere,
): Promise<void> {
  response.locals.route = 'redirect'
  // Every answer of the API has the rate limit headers. A redirect has those of the address, because it needs no key.
  if (/^\/v1(\/|$)/.test(request.path)) await showAnonymousLimits(tools, request, response)
  addHeader(response, 'Location', url)
  answerEmpty(response, status)
}
