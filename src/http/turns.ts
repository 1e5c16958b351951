import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** More pipelined requests than a well-behaved client sends before it reads an answer. */
export const mostWaiting = 10

/** The last request of a connection, and its response. `begins` settles when a waiting request has begun. */
export type Exchange = { request: IncomingMessage; response: ServerResponse; begins: Promise<void> | null }
type Connection = Exchange & { waiting: number; isFull: boolean }

/**
 * Starts a pipelined request only after the answers before it were sent. Node.js would start all of them at once, and
 * hold their answers in memory for a client that does not read. `noteExcess` gets the connection of a client that pipelines
 * more than the limit.
 */
export function openTurns(listener: RequestListener, noteExcess: (socket: Socket) => void) {
  const connections = new WeakMap<Duplex, Connection>()

  const enter: RequestListener = (request, response) => {
    const connection = connections.get(request.socket)
    if (!connection) {
      connections.set(request.socket, { request, response, begins: null, waiting: 0, isFull: false })
      listener(request, response)
    } else if (!connection.isFull) {
      const before = connection.response
      connection.request = request
      connection.response = response
      connection.begins = null
      if (before.writableFinished) listener(request, response)
      else wait(before, connection, request, response)
    }
  }

  const wait = (
    before: ServerResponse,
    connection: Connection,
    ...next: Parameters<RequestListener>
  ): void => {
    const [{ socket }, response] = next
    connection.waiting++
    if (connection.waiting === mostWaiting) {
      // The client must be prepared to repeat requests that it pipelined behind this answer (RFC 9112, 9.3.2).
      connection.isFull = true
      response.setHeader('Connection', 'close')
      socket.pause()
      dropWithoutStacks(socket)
      noteExcess(socket)
    }
    connection.begins = new Promise(resolve => {
      before.once('close', () => {
        connection.waiting--
        // Let the waiting requests of other connections run before this one's next.
        setImmediate(() => {
          if (socket.destroyed) return
          listener(...next)
          resolve()
        })
      })
    })
  }

  return { enter, lastOf: (socket: Duplex): Exchange | undefined => connections.get(socket) }
}

/**
 * At the close of a connection, Node.js destroys each dropped request and answer with an error of its own. Their stack
 * traces would cost a third of what a thousand dropped requests cost.
 */
function dropWithoutStacks(socket: Duplex): void {
  let { stackTraceLimit } = Error
  socket.prependOnceListener('close', () => {
    stackTraceLimit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
  })
  socket.once('close', () => {
    Error.stackTraceLimit = stackTraceLimit
  })
}
