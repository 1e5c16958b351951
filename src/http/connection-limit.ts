import type { Server } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Tools } from '../tools.ts'
import { networkOf } from './network.ts'
import { trackOpenSockets } from './open-sockets.ts'

/**
 * Closes each connection by which an address exceeds its limit. Trusted proxies are exempt, because their connections
 * belong to many clients.
 */
export function limitConnections(
  { config, metrics }: Pick<Tools, 'config' | 'metrics'>,
  server: Server | HttpsServer,
  isTrusted: (address: string | undefined) => boolean,
): void {
  const open = trackOpenSockets()

  server.on('connection', (socket: Socket) => {
    if (isTrusted(socket.remoteAddress)) return
    const address = networkOf(socket.remoteAddress)
    if (open.of(address).size < config.connectionsPerAddress) return open.add(address, socket)
    metrics.countRefusedConnection()
    socket.destroy()
  })
}
