import { createServer, type Server } from 'node:https'
import type { TLSSocket } from 'node:tls'
import type { App } from '../http/gathered-headers.ts'
import { answerUnparsed, serverOptions } from '../http/server.ts'
import type { Tools } from '../tools.ts'
import { openContexts, tlsRules } from './contexts.ts'

/** HTTPS for custom domains; a handshake for any other name is refused. */
export function createHttpsServer(tools: Tools, app: App): Server {
  const { hosts, seal } = tools.hosting
  const contexts = openContexts(hosts, seal, tools.log)
  const server = createServer(
    {
      ...serverOptions,
      ...app.classes,
      ...tlsRules,
      handshakeTimeout: 5_000,
      SNICallback(name, answer) {
        const context = contexts.find(name.toLowerCase())
        if (context) answer(null, context)
        else answer(new Error('unknown host'))
      },
    },
    app,
  )
  closeWithHost(tools, server)
  return answerUnparsed(tools, server, app)
}

/** The connections of a removed domain end with it; those that a browser keeps open would outlive it. */
function closeWithHost({ hosting: { hosts } }: Tools, server: Server): void {
  const sockets = new Map<string, Set<TLSSocket>>()
  server.on('secureConnection', socket => {
    const name = String(socket.servername).toLowerCase()
    const ofName = sockets.get(name) ?? new Set()
    sockets.set(name, ofName.add(socket))
    socket.once('close', () => {
      ofName.delete(socket)
      if (ofName.size === 0 && sockets.get(name) === ofName) sockets.delete(name)
    })
    // It may have been removed between the handshake's beginning and its end.
    if (!hosts.find(name)) socket.destroy()
  })
  hosts.onChange(current => {
    for (const [name, ofName] of sockets) {
      if (!current.has(name)) for (const socket of ofName) socket.destroy()
    }
  })
}
