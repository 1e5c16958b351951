import { createServer, type RequestListener, type Server } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { Request } from 'express'
import type { Tools } from '../tools.ts'
import { limitConnections } from './connection-limit.ts'
import { paceConnections } from './connection-pace.ts'
import { openMalformedRequests } from './malformed-requests.ts'
import { messageClassesOf } from './messages.ts'
import { expectProxyHeaders } from './proxy-protocol.ts'
import { type TrustedProxies, trustedProxies, trustTest } from './trusted-proxies.ts'
import { openTurns } from './turns.ts'

export const serverOptions = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  // By default Node.js checks `headersTimeout` and `requestTimeout` only every 30 s.
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
  // Otherwise Node.js answers a missing Host itself, not in the Error shape.
  requireHostHeader: false,
}

/** A client that reads nothing of an answer for this long is disconnected. */
const readingTimeoutMs = 30_000

/** Makes an HTTP server with timeouts for slow clients. */
export function createHttpServer(tools: Tools, app: RequestListener): Server {
  const server = serve(
    tools,
    createServer({ ...serverOptions, ...messageClassesOf(app) }),
    app,
    trustedProxies(tools.config).http,
  )
  if (tools.config.proxyProtocol.http) expectProxyHeaders(server, tools.log)
  return server
}

/** Sends every request to the app. If Node.js itself rejects a request, the answer has the Error shape. */
export function serve<S extends Server | HttpsServer>(
  tools: Tools,
  server: S,
  app: RequestListener,
  trusted: TrustedProxies,
): S {
  const isTrusted = trustTest(trusted)
  const turns = openTurns(
    (request, response) => {
      takeAddress(request as Request)
      app(request, response)
    },
    socket => pace.slowDown(socket),
  )
  const pace = paceConnections(tools, server, isTrusted, turns)
  limitConnections(tools, server, isTrusted)
  const refusals = openMalformedRequests(tools, turns.lastOf)
  server.on('request', turns.enter)
  // Ignore an unknown Expect header (RFC 9110, 10.1.1). Node.js would answer it, not in the Error shape.
  server.on('checkExpectation', turns.enter)
  // Reading the body sends 100 Continue. Node.js would send it to every client, whatever the size of the body.
  server.on('checkContinue', turns.enter)
  server.on('connect', refusals.refuseTunnel)
  server.on('clientError', refusals.refuseUnparsed)
  server.timeout = readingTimeoutMs
  server.on('timeout', socket => {
    const isAnswering = turns.lastOf(socket)?.response.writableFinished === false
    // Keep the connection while the app is still preparing a slow answer: a slow answer has no unsent bytes yet. Unsent
    // bytes mean that the client does not read, so destroy the socket.
    if (!isAnswering || socket.writableLength > 0) socket.destroy()
  })
  return server
}

/** Takes the path from an absolute URL in the request line (RFC 9112, 3.2.2), which Express cannot always parse. */
function takeAddress(request: Request): void {
  if (request.url.startsWith('/')) return
  request.originalUrl = request.url
  request.url = request.url.replace(/^[^:/?#]+:\/\/[^/?#]*/, '').replace(/^(?!\/)/, '/')
}
