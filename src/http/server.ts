import { createServer, type RequestListener, type Server } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { Request } from 'express'
import type { Tools } from '../tools.ts'
import { limitConnections } from './connection-limit.ts'
import { expectProxyHeaders } from './proxy-protocol.ts'
import { type TrustedProxies, trustedProxies } from './trusted-proxies.ts'
import { openTurns } from './turns.ts'
import { openRefusals } from './unparsed.ts'

export const serverOptions = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  // Without it node looks only every 30 s whether those two are over.
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
  // Without this node itself refuses a missing Host, in words of its own.
  requireHostHeader: false,
}

/** A client that takes nothing of an answer for this long is cut off. */
const readingTimeoutMs = 30_000

/** A server that does not wait for slow senders. */
export function createHttpServer(tools: Tools, app: RequestListener): Server {
  const server = serve(tools, createServer(serverOptions), app, trustedProxies(tools.config).http)
  if (tools.config.proxyProtocol.http) expectProxyHeaders(server, tools.log)
  return server
}

/** Every request goes to the app, and what node refuses by itself is answered in the store's words. */
export function serve<S extends Server | HttpsServer>(
  tools: Tools,
  server: S,
  app: RequestListener,
  trusted: TrustedProxies,
): S {
  const turns = openTurns((request, response) => {
    takeAddress(request as Request)
    app(request, response)
  })
  const refusals = openRefusals(tools, turns.lastOf)
  limitConnections(tools, server, trusted)
  server.on('request', turns.enter)
  // An expectation that nobody knows may be ignored (RFC 9110, 10.1.1); node would answer it in words of its own.
  server.on('checkExpectation', turns.enter)
  // Who reads the body invites it; node would do so for everybody and every size.
  server.on('checkContinue', turns.enter)
  server.on('connect', refusals.refuseTunnel)
  server.on('clientError', refusals.refuseUnparsed)
  server.timeout = readingTimeoutMs
  server.on('timeout', socket => {
    const isAnswering = turns.lastOf(socket)?.response.writableFinished === false
    // A slow answer has nothing to send yet. Only a client that does not read leaves bytes behind.
    if (!isAnswering || socket.writableLength > 0) socket.destroy()
  })
  return server
}

/** Express routes paths, and cannot read each whole address that may stand in their place (RFC 9112, 3.2.2). */
function takeAddress(request: Request): void {
  if (request.url.startsWith('/')) return
  request.originalUrl = request.url
  request.url = request.url.replace(/^[^:/?#]+:\/\/[^/?#]*/, '').replace(/^(?!\/)/, '/')
}
