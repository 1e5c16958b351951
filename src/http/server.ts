import { randomUUID } from 'node:crypto'
import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import { type ErrorCode, StoreError } from '../core/errors.ts'
import { anonymousCharge } from '../core/limits.ts'
import type { Tools } from '../tools.ts'
import { errorBody, statusOf } from './errors.ts'
import { type App, linesOf } from './gathered-headers.ts'
import { networkOf } from './network.ts'
import { createServer } from './node-http.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import { standardHeaders } from './standard-headers.ts'

export const serverOptions = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  // Without it node looks only every 30 s whether those two are over.
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
  // Without this node itself refuses a missing Host, in words of its own.
  requireHostHeader: false,
}

/** A server that does not wait for slow senders, and answers in the store's words even what node refuses by itself. */
export function createHttpServer(tools: Tools, app: App): Server {
  return answerUnparsed(tools, createServer({ ...serverOptions, ...app.classes }, app), app)
}

export function answerUnparsed<S extends Server | HttpsServer>(
  tools: Tools,
  server: S,
  app: RequestListener,
): S {
  // An expectation that nobody knows may be ignored (RFC 9110, 10.1.1); node would answer it in words of its own.
  server.on('checkExpectation', app)
  server.on('clientError', (fault, socket) => refuseUnparsed(tools, fault, socket as Socket))
  return server
}

async function refuseUnparsed(
  { limiter }: Tools,
  fault: NodeJS.ErrnoException,
  socket: Socket,
): Promise<void> {
  if (fault.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [code, message] = refusalOf(fault)
  // Only looked at: behind a proxy this address is everyone's.
  const decision = await limiter.peek(anonymousCharge(networkOf(socket.remoteAddress)))
  const answer = answerUnderWay(socket)
  // What came before is answered already, and the connection ends with that.
  if (answer?.headersSent) return void answer.once('close', () => socket.destroySoon())
  if (!socket.writable) return
  const body = errorBody(new StoreError(code, message))
  const headers = [
    ...standardHeaders,
    ...rateLimitHeaders(decision),
    ...['X-Request-Id', randomUUID()],
    ...['Content-Type', 'application/json; charset=utf-8'],
    ...['Content-Length', String(Buffer.byteLength(body))],
    ...['Connection', 'close'],
  ]
  socket.end(`HTTP/1.1 ${statusOf[code]} Refused\r\n${linesOf(headers)}\r\n${body}`)
}

/** Node itself looks here before it refuses what it cannot read. */
function answerUnderWay(socket: Socket): ServerResponse | null {
  return (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? null
}

function refusalOf(fault: NodeJS.ErrnoException): [ErrorCode, string] {
  if (fault.code === 'HPE_HEADER_OVERFLOW')
    return ['headers_too_large', 'The headers are larger than 16 KiB.']
  if (fault.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return ['request_timeout', 'The request took too long to arrive.']
  return ['malformed_request', 'This is not a valid HTTP request.']
}
