import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Response } from 'express'
import { StoreError } from '../core/errors.ts'
import { anonymousCharge } from '../core/projects/limits.ts'
import type { Tools } from '../tools.ts'
import { answerJson, readingMs } from './answer.ts'
import { addErrorHeaders, errorBody, statusOf, versionNotSupported } from './errors.ts'
import { addHeader, addHeaders } from './headers.ts'
import { networkOf } from './network.ts'
import { recordAnswer } from './observe.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import { standardHeaders } from './standard-headers.ts'
import type { Exchange } from './turns.ts'

/** An error of `clientError`. The parser stopped at `bytesParsed` of `rawPacket`. */
type ParserFault = NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number }

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

/**
 * Answers requests that Node.js cannot parse. Each answer waits for the answers to earlier requests on the connection.
 */
export function openMalformedRequests(tools: Tools, lastOf: (socket: Duplex) => Exchange | undefined) {
  const refused = new WeakSet<Duplex>()

  async function refuse(
    socket: Duplex,
    method: string,
    error: StoreError,
    more: readonly string[] = [],
  ): Promise<void> {
    if (refused.has(socket)) return
    refused.add(socket)
    // Destroy the socket on an error, because Node.js no longer handles the errors of a tunnel's socket. Log nothing: a
    // broken connection is no bug.
    socket.on('error', () => socket.destroy())
    const before = lastOf(socket)
    if (before && !before.request.complete) {
      const { request, response } = before
      await before.begins
      return refuseRest(tools, request, response, error)
    }
    // Before this refusal is sent, wait until the answer to the previous request is finished. Ignore an error of that
    // answer, because other code reports the error.
    if (before) await finished(before.response).catch(() => {})
    if (socket.writable) await refuseOnWire(tools, socket, method, error, more)
  }

  function giveUp(socket: Duplex, bug: unknown): void {
    tools.log.error({ error: bug }, 'unhandled error')
    socket.destroy()
  }

  return {
    /** This server is no proxy, so it refuses CONNECT. */
    refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
      const error = new StoreError('method_not_allowed', `CONNECT is not allowed here; use ${methods}.`)
      refuse(socket, 'CONNECT', error, ['Allow', methods]).catch(bug => giveUp(socket, bug))
    },
    refuseUnparsed(fault: ParserFault, socket: Duplex): void {
      const error = refusalOf(fault)
      if (error) refuse(socket, 'unknown', error).catch(bug => giveUp(socket, bug))
      else socket.destroy()
    },
  }
}

/** Answers a fault in the body of a request that the app is already handling. */
async function refuseRest(
  tools: Tools,
  request: IncomingMessage,
  response: ServerResponse,
  error: StoreError,
): Promise<void> {
  const answer = response as Response
  const limits = await peekHeaders(tools, request.socket.remoteAddress)
  // The app has answered without waiting for the body: send its answer, then end the connection.
  if (answer.headersSent) return finished(answer).then(endConnection, endConnection)
  answer.locals.isRefused = true
  if (!answer.locals.decision) addHeaders(answer, limits)
  addHeader(answer, 'Connection', 'close')
  addErrorHeaders(answer, error)
  answerJson(answer, statusOf[error.code], errorBody(error))
  // Destroy the request after the answer. Otherwise code that reads the body of the request would wait forever for the
  // rest of the body, and would never charge the request.
  answer.once('close', () => request.destroy())

  function endConnection(): void {
    request.socket.destroySoon()
  }
}

async function refuseOnWire(
  tools: Tools,
  socket: Duplex,
  method: string,
  error: StoreError,
  more: readonly string[],
): Promise<void> {
  const startedAt = performance.now()
  const limits = await peekHeaders(
    tools,
    'remoteAddress' in socket ? String(socket.remoteAddress) : undefined,
  )
  if (!socket.writable) return
  const status = statusOf[error.code]
  const requestId = randomUUID()
  const body = errorBody(error)
  const headers = [
    ...['X-Request-Id', requestId],
    ...standardHeaders,
    ...['Cache-Control', 'no-store'],
    ...limits,
    ...more,
    ...['Content-Type', 'application/json; charset=utf-8'],
    ...['Content-Length', String(Buffer.byteLength(body))],
    ...['Connection', 'close'],
  ]
  socket.end(`HTTP/1.1 ${status} Refused\r\n${linesOf(headers)}\r\n${body}`)
  recordAnswer(tools, { requestId, method, route: 'none', status, startedAt })
  // Node.js no longer watches this connection, so end it even if the client never closes its side.
  const end = setTimeout(() => socket.destroy(), readingMs)
  socket.once('close', () => clearTimeout(end))
}

/** Reads the limits without charging, because behind a proxy all clients share this address. */
async function peekHeaders({ limiter }: Tools, address: string | undefined): Promise<string[]> {
  const charge = anonymousCharge(networkOf(address))
  return rateLimitHeaders(await limiter.get(charge.subject, charge))
}

function linesOf(headers: readonly string[]): string {
  let lines = ''
  for (let i = 0; i < headers.length; i += 2) lines += `${headers[i]}: ${headers[i + 1]}\r\n`
  return lines
}

/** Returns the refusal; null for a fault of the connection, because then no client is left. */
function refusalOf({ code = '', ...fault }: ParserFault): StoreError | null {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new StoreError('headers_too_large', 'The headers are larger than 16 KiB.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new StoreError('request_timeout', 'The request took too long to arrive.')
  const isOtherVersion = code === 'HPE_INVALID_VERSION' && !hasValidVersion(fault)
  if (isOtherVersion || code === 'HPE_PAUSED_H2_UPGRADE') return versionNotSupported()
  if (code.startsWith('HPE_')) return new StoreError('malformed_request', 'This is not a valid HTTP request.')
  return null
}

/** True if the parser stopped after a version that this service accepts, for example at a line feed without a CR. */
function hasValidVersion({ rawPacket, bytesParsed }: Omit<ParserFault, 'code'>): boolean {
  return / HTTP\/1\.[01]\n?$/.test(rawPacket?.toString('latin1', 0, bytesParsed) ?? '')
}
