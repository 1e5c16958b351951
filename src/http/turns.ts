import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** More pipelined requests than a well-behaved client sends before it reads an answer. */
export const mostWaiting = 10

/**
 * The last request of a connection, and the response to this request. `begins` resolves when a request that waited for
 * earlier answers has begun; null if the request did not have to wait.
 */
export type Exchange = { request: IncomingMessage; response: ServerResponse; begins: Promise<void> | null }
type Connection = Exchange & { waiting: number; reads: 'requests' | 'the last body' | 'nothing' }

export type Turns = ReturnType<typeof openTurns>

/**
 * Starts a pipelined request only after the answers before it were sent. Node.js would start all of them at once, and
 * hold their answers in memory for a client that does not read. `noteExcess` gets the connection of a client that pipelines
 * more than the limit.
 */
export function openTurns(listener: RequestListener, noteExcess: (socket: Socket) => void) {
  const connections = new WeakMap<Duplex, Connection>()

  const enter: RequestListener = (request, response) => {
    const { socket } = request
    const connection = connections.get(socket)
    if (!connection) {
      connections.set(socket, { request, response, begins: null, waiting: 0, reads: 'requests' })
      listener(request, response)
    } else if (connection.reads === 'requests') {
      const before = connection.response
      connection.request = request
      connection.response = response
      connection.begins = null
      if (before.writableFinished) listener(request, response)
      else wait(before, connection, request, response)
    } else if (connection.reads === 'the last body') {
      connection.reads = 'nothing'
      stopReading(socket)
    }
  }

  const wait = (
    before: ServerResponse,
    connection: Connection,
    ...next: Parameters<RequestListener>
  ): void => {
    const [{ socket }] = next
    connection.waiting++
    if (connection.waiting === mostWaiting) {
      close(socket)
      noteExcess(socket)
    }
    connection.begins = new Promise(resolve => {
      before.once('close', () => {
        connection.waiting--
        // Let the waiting requests of other connections run before the next request of this connection.
        setImmediate(() => {
          if (socket.destroyed) return
          listener(...next)
          resolve()
        })
      })
    })
  }

  /**
   * Closes a connection after the answers to its requests, or at once if it has none. Drops further requests. Returns
   * true at the first call if the body of a request is still arriving.
   */
  function close(socket: Socket): boolean {
    const connection = connections.get(socket)
    if (!connection || connection.response.writableFinished) socket.destroy()
    if (socket.destroyed || connection?.reads !== 'requests') return false
    const { request, response } = connection
    connection.reads = request.complete ? 'nothing' : 'the last body'
    if (request.complete) stopReading(socket)
    // The client must be prepared to repeat requests that it pipelined behind this answer (RFC 9112, 9.3.2).
    if (response.headersSent) response.once('finish', () => socket.destroySoon())
    else response.setHeader('Connection', 'close')
    dropWithoutStacks(socket)
    return !request.complete
  }

  return { enter, close, lastOf: (socket: Duplex): Exchange | undefined => connections.get(socket) }
}

/** Stops reading from a connection until `readOn`. By itself, Node.js reads on after each request that it has parsed. */
export function stopReading(socket: Socket): void {
  socket.on('resume', pause)
  socket.pause()
}

export function readOn(socket: Socket): void {
  socket.off('resume', pause)
  socket.resume()
}

function pause(this: Socket): void {
  this.pause()
}

/**
 * At the close of a connection, Node.js destroys each dropped request and answer with an error of its own. The stack
 * traces of these errors would take a third of the CPU time of the dropped requests.
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
