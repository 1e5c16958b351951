import type { Server } from 'node:http'
import { Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Logger } from '../tools/log.ts'
import { readProxyHeader } from './proxy-header.ts'

/** In milliseconds: how long a header may take. Balancers send it at once. */
const timeoutMs = 3_000

/**
 * Accepts only connections of balancers that name the client by the PROXY protocol. The connection then has the
 * client's address, so that no other code depends on the balancer.
 */
export function expectProxyHeaders(server: Server | HttpsServer, log: Logger): void {
  const goOn = server.listeners('connection')
  /**
   * The client's address for each connection of a balancer. The map's key is the balancer's address and port, because
   * the TCP socket and the TLS socket of a connection are two objects with an equal address and port.
   */
  const clients = new Map<string, string>()
  let isLogged = false

  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const giveUp = setTimeout(() => socket.destroy(), timeoutMs)
    let bytes = Buffer.alloc(0)
    const cut = () => socket.destroy()
    const whatMayEnd = ['error', 'end'] as const
    const read = () => {
      for (let chunk = socket.read(); chunk !== null; chunk = socket.read())
        bytes = Buffer.concat([bytes, chunk])
      const header = readProxyHeader(bytes)
      if (header === null) return
      socket.off('readable', read)
      clearTimeout(giveUp)
      if (header === 'none') return refuse(socket)
      for (const event of whatMayEnd) socket.off(event, cut)
      if (header.address !== null) setClient(socket, header.address)
      if (bytes.length > header.length) socket.unshift(bytes.subarray(header.length))
      for (const listener of goOn) listener.call(server, socket)
    }
    for (const event of whatMayEnd) socket.on(event, cut)
    socket.once('close', () => clearTimeout(giveUp))
    socket.on('readable', read)
  })

  function setClient(socket: Socket, address: string): void {
    if (server instanceof HttpsServer) {
      const end = endOf(socket)
      clients.set(end, address)
      socket.once('close', () => clients.delete(end))
    }
    showAs(socket, address)
  }
  server.prependListener('secureConnection', (socket: TLSSocket) => {
    const address = clients.get(endOf(socket))
    if (address !== undefined) showAs(socket, address)
  })

  function refuse(socket: Socket): void {
    if (!isLogged) log.warn(`A connection from ${socket.remoteAddress} ${withoutHeader}`)
    isLogged = true
    socket.destroy()
  }
}

const withoutHeader =
  'began without a header of the PROXY protocol, which PROXY_PROTOCOL requires, and was closed'

function showAs(socket: Socket, address: string): void {
  Object.defineProperty(socket, 'remoteAddress', { value: address })
}

const endOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
