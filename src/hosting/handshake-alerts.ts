import { AsyncLocalStorage } from 'node:async_hooks'
import type { Server } from 'node:https'
import type { Socket } from 'node:net'

/** Why a handshake is refused, in the numbers of TLS (RFC 8446, 6; RFC 6066, 3). */
export const alerts = { unrecognizedName: 112, internalError: 80 } as const
export type Alert = (typeof alerts)[keyof typeof alerts]

/**
 * Node ends the connection of a refused server name without a word, and whoever came sees a broken line. Nothing is
 * encrypted yet at that point, so the alert is one plain record on the connection below, which Node keeps to itself: each
 * handshake runs with its connection at hand.
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
