import { constants } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { messageClassesOf } from '../http/messages.ts'
import { trackOpenSockets } from '../http/open-sockets.ts'
import { expectProxyHeaders } from '../http/proxy-protocol.ts'
import { serve, serverOptions } from '../http/server.ts'
import { trustedProxies } from '../http/trusted-proxies.ts'
import type { Tools } from '../tools.ts'
import { type Alert, alerts, openHandshakeAlerts } from './handshake-alerts.ts'
import { openContexts } from './tls-contexts.ts'

/** TLS 1.3, and TLS 1.2 with AEAD suites only. The rules apply to all hosts. */
const tlsRules = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
} as const

/** Makes the HTTPS server for custom domains, which rejects handshakes for all other names. */
export function createHttpsServer(tools: Tools, app: RequestListener): Server {
  const contexts = openContexts({ ...tools.hosting, ...tools })
  const handshakes = openHandshakeAlerts()
  const server = createServer({
    ...serverOptions,
    ...messageClassesOf(app),
    ...tlsRules,
    handshakeTimeout: 5_000,
    // Full handshakes only: a resumed connection does not run SNICallback, so its server name would be unknown (TLS
    // 1.2) or unchecked (TLS 1.3). Do not add a listener for resumeSession: it would re-enable resumption in TLS 1.2.
    secureOptions: constants.SSL_OP_NO_TICKET,
    SNICallback(name, answer) {
      const refuse = (alert: Alert, error: Error) => handshakes.refuse(alert, () => answer(error))
      contexts.find(name.toLowerCase()).then(
        context =>
          context ? answer(null, context) : refuse(alerts.unrecognizedName, new Error('unknown host')),
        error => refuse(alerts.internalError, error),
      )
    },
  })
  handshakes.follow(server)
  closeWithHost(tools, server)
  serve(tools, server, app, trustedProxies(tools.config).https)
  if (tools.config.proxyProtocol.https) expectProxyHeaders(server, tools.log)
  return server
}

const askAgainAfterMs = 1_000

/** Closes the connections to a removed domain, which browsers would keep open. */
function closeWithHost({ hosting: { hosts }, log, metrics }: Tools, server: Server): void {
  const sockets = trackOpenSockets<TLSSocket>()
  /** Names to check again, because the database was unavailable. */
  const unsure = new Set<string>()

  async function closeUnlessServed(name: string): Promise<void> {
    try {
      if ((await hosts.find(name)) === null) closeAll(name)
    } catch {
      askLater(name)
    }
  }

  function closeAll(name: string): void {
    const open = [...sockets.of(name)].filter(socket => !socket.destroyed)
    if (open.length === 0) return
    for (const socket of open) socket.destroy()
    metrics.countClosedTls(open.length)
    log.info({ name, connections: open.length }, 'TLS connections closed: their host is no longer served')
  }

  /**
   * Checks the name again later, since the removal is reported only once. Until then, requests on connections to this
   * name get 503.
   */
  function askLater(name: string): void {
    if (unsure.has(name)) return
    unsure.add(name)
    const again = () => {
      unsure.delete(name)
      if (sockets.of(name).size > 0) closeUnlessServed(name)
    }
    setTimeout(again, askAgainAfterMs).unref()
  }

  server.on('secureConnection', socket => {
    const name = String(socket.servername).toLowerCase()
    sockets.add(name, socket)
    // The domain may have been removed during the handshake.
    closeUnlessServed(name)
  })
  hosts.onChange(changed => {
    const names = changed === null ? sockets.names() : [changed]
    for (const name of names) if (sockets.of(name).size > 0) closeUnlessServed(name)
  })
}
