import type { Server } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import { BlockList, isIPv6, type Socket } from 'node:net'
import type { Tools } from '../tools.ts'
import { networkOf } from './network.ts'
import type { TrustedProxies } from './trusted-proxies.ts'

/**
 * Closes the connections of an address beyond its limit. Trusted proxies are exempt, because their connections belong
 * to many clients.
 */
export function limitConnections(
  { config, metrics }: Pick<Tools, 'config' | 'metrics'>,
  server: Server | HttpsServer,
  trusted: TrustedProxies,
): void {
  const isTrusted = trustTest(trusted)
  const open = new Map<string, number>()

  server.on('connection', (socket: Socket) => {
    const address = networkOf(socket.remoteAddress)
    if (isTrusted(address)) return
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

function trustTest(trusted: TrustedProxies): (address: string) => boolean {
  if (typeof trusted === 'number') return () => trusted > 0
  const list = new BlockList()
  const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')
  for (const network of trusted) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return address => list.check(address, familyOf(address))
}
