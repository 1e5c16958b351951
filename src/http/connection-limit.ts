import type { Server } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Tools } from '../tools.ts'
import { networkOf } from './network.ts'

/**
 * Closes the connections of an address beyond its limit. Trusted proxies are exempt, because their connections belong
 * to many clients.
 */
export function limitConnections(
  { config, metrics }: Pick<Tools, 'config' | 'metrics'>,
  server: Server | HttpsServer,
  isTrusted: (address: string | undefined) => boolean,
): void {
  const open = new Map<string, number>()

  server.on('connection', (socket: Socket) => {
    if (isTrusted(socket.remoteAddress)) return
    const address = networkOf(socket.remoteAddress)
    const count = (open.get(address) ?? 0) + 1
    if (count > config.connectionsPerAddress) {
      metrics.countRefusedConnection()
      return void socket.destroy()
    }
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
  })
}
