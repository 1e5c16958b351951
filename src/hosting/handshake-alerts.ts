import { AsyncLocalStorage } from 'node:async_hooks'
import type { Server } from 'node:https'
import type { Socket } from 'node:net'

/** TLS alert numbers (RFC 8446, 6; RFC 6066, 3). */
export const alerts = { unrecognizedName: 112, internalError: 80 } as const
export type Alert = (typeof alerts)[keyof typeof alerts]

/**
 * Sends the TLS alert for an unknown server name. Node.js closes the connection without an alert, which browsers report
 * as a network failure. Nothing is encrypted yet at this point, so the alert is a plain record on the TCP socket. The
 * SNI callback does not get that socket, so each handshake runs in an AsyncLocalStorage that holds it.
 */
export function openHandshakeAlerts() {
  const connections = new AsyncLocalStorage<Socket>()
  return {
    follow(server: Server): void {
      const goOn = server.listeners('connection')
      server.removeAllListeners('connection')
      server.on('connection', socket =>
        connections.run(socket, () => {
          for (const listener of goOn) listener.call(server, socket)
        }),
      )
    },
    refuse(alert: Alert, done: () => void): void {
      const socket = connections.getStore()
      if (socket?.writable) socket.end(Buffer.from([21, 3, 3, 0, 2, 2, alert]), done)
      else done()
    },
  }
}
