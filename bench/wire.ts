// HTTP/1.1 with as little work as possible, because the load shares its core with PostgreSQL and Redis. The client of
// Node.js takes several times the CPU time, and the contestants would wait for it.
import { connect } from 'node:net'
import type { Request } from './clients.ts'

/** Returns the text of a request as it is sent. */
export function toWire({ method, path, headers, body = '' }: Request, port: number): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body ? [`content-length: ${Buffer.byteLength(body)}`] : []),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** Connections that are kept open, each for one request at a time. */
export type Pool = {
  /** Resolves with the status when the whole answer has arrived. A request waits until a connection is free. */
  send(request: Buffer): Promise<number>
  close(): void
}

export function openPool(port: number, connections: number): Pool {
  const all = new Set<Connection>()
  const free: Connection[] = []
  const waiting: ((connection: Connection) => void)[] = []

  async function take(): Promise<Connection> {
    // Take the connection that has been idle for the longest time. So no connection is idle until the server closes it.
    const connection = free.shift()
    if (connection) return connection
    if (all.size === connections) return new Promise(resolve => waiting.push(resolve))
    const opened = openConnection(port)
    all.add(opened)
    return opened
  }

  return {
    async send(request) {
      const connection = await take()
      const status = await connection.send(request)
      const next = waiting.shift()
      if (next) next(connection)
      else free.push(connection)
      return status
    },
    close() {
      for (const connection of all) connection.close()
    },
  }
}

type Connection = Pool

function openConnection(port: number): Connection {
  let received: Buffer = Buffer.alloc(0)
  let answered: (status: number) => void = () => {}
  let failed: (error: Error) => void = () => {}
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.on('data', (part: Buffer) => {
    received = received.length === 0 ? part : Buffer.concat([received, part])
    if (!isWhole(received)) return
    const status = Number(received.toString('latin1', 9, 12))
    received = Buffer.alloc(0)
    answered(status)
  })
  socket.on('error', error => failed(error))
  socket.on('close', () => failed(new Error('The contestant closed a connection.')))
  return {
    send(request) {
      return new Promise((resolve, reject) => {
        answered = resolve
        failed = reject
        if (socket.destroyed) reject(new Error('The contestant closed a connection.'))
        else socket.write(request)
      })
    },
    close: () => socket.destroy(),
  }
}

const endOfHead = '\r\n\r\n'
const lastChunk = '0\r\n\r\n'

function isWhole(received: Buffer): boolean {
  const head = received.indexOf(endOfHead)
  if (head < 0) return false
  const length = /\r\ncontent-length: *(?<bytes>\d+)/i.exec(received.toString('latin1', 0, head))?.groups
    ?.bytes
  return length === undefined
    ? received.toString('latin1').endsWith(lastChunk)
    : received.length >= head + endOfHead.length + Number(length)
}
