import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Response } from 'express'
import { StoreError } from '../core/errors.ts'
import { anonymousCharge } from '../core/projects/limits.ts'
import type { Tools } from '../tools.ts'
import { answerJson, readingMs } from './answer.ts'
import { addErrorHeaders, errorBody, statusOf } from './errors.ts'
import { addHeader, addHeaders } from './headers.ts'
import { networkOf } from './network.ts'
import { recordAnswer } from './observe.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import { standardHeaders } from './standard-headers.ts'
import type { Exchange } from './turns.ts'

const methods = 'GET, HEAD, POST, PATCH, DELETE, OPTIONS'

/** Refuses what node cannot read as a request. Answers leave in order: first those to what came before. */
export function openRefusals(tools: Tools, lastOf: (socket: Duplex) => Exchange | undefined) {
  const refused = new WeakSet<Duplex>()

  async function refuse(
    socket: Duplex,
    method: string,
    error: StoreError,
    more: readonly string[] = [],
  ): Promise<void> {
    if (refused.has(socket)) return
    refused.add(socket)
    // Node lets go of a tunnel's connection, and one that breaks is nobody's bug.
    socket.on('error', () => socket.destroy())
    const before = lastOf(socket)
    if (before && !before.request.complete) {
      const { request, response } = before
      await before.begins
      return refuseRest(tools, request, response, error)
    }
    // Whether it succeeds is its own matter.
    if (before) await finished(before.response).catch(() => {})
    if (socket.writable) await refuseOnWire(tools, socket, method, error, more)
  }

  function giveUp(socket: Duplex, bug: unknown): void {
    tools.log.error({ error: bug }, 'bug')
    socket.destroy()
  }

  return {
    /** To another server than this one: nothing here is a proxy. */
    refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
      const error = new StoreError(
        'method_not_allowed',
        `CONNECT is not possible here; possible are ${methods}.`,
      )
      refuse(socket, 'CONNECT', error, ['Allow', methods]).catch(bug => giveUp(socket, bug))
    },
    refuseUnparsed(fault: NodeJS.ErrnoException, socket: Duplex): void {
      const error = refusalOf(fault)
      if (error) refuse(socket, 'unknown', error).catch(bug => giveUp(socket, bug))
      else socket.destroy()
    },
  }
}

/** The fault is in a body that the app may be waiting for. */
async function refuseRest(
  tools: Tools,
  request: IncomingMessage,
  response: ServerResponse,
  error: StoreError,
): Promise<void> {
  const answer = response as Response
  const limits = await peekHeaders(tools, request.socket.remoteAddress)
  // An answer that did not wait for the body ends the connection all the same.
  if (answer.headersSent) return finished(answer).then(endConnection, endConnection)
  answer.locals.isRefused = true
  if (!answer.locals.decision) addHeaders(answer, limits)
  addHeader(answer, 'Connection', 'close')
  addErrorHeaders(answer, error)
  answerJson(answer, statusOf[error.code], errorBody(error))
  // Whoever reads the body would otherwise wait for its end for ever, and a request that is paid after it cost nothing.
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
  // Node no longer minds this connection, so a client that never ends its half would keep it.
  const end = setTimeout(() => socket.destroy(), readingMs)
  socket.once('close', () => clearTimeout(end))
}

/** Only looked at: behind a proxy this address is everyone's. */
async function peekHeaders({ limiter }: Tools, address: string | undefined): Promise<string[]> {
  const charge = anonymousCharge(networkOf(address))
  return rateLimitHeaders(await limiter.get(charge.subject, charge))
}

function linesOf(headers: readonly string[]): string {
  let lines = ''
  for (let i = 0; i < headers.length; i += 2) lines += `${headers[i]}: ${headers[i + 1]}\r\n`
  return lines
}

/** Null for a fault of the connection itself, which leaves nobody to answer. */
function refusalOf({ code = '' }: NodeJS.ErrnoException): StoreError | null {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new StoreError('headers_too_large', 'The headers are larger than 16 KiB.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new StoreError('request_timeout', 'The request took too long to arrive.')
  if (code.startsWith('HPE_')) return new StoreError('malformed_request', 'This is not a valid HTTP request.')
  return null
}
