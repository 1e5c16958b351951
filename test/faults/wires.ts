import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../support/programs.ts'

/**
 * The network between one process and one service, which a fault can disturb. Data that a cut holds back is delivered
 * later, as TCP would do.
 */
export type Wire = {
  port: number
  /** Delivers nothing in this direction until `mend`. */
  cut(direction: 'to the service' | 'from the service'): void
  /** Closes all connections to the service, but not those to the process, which therefore does not notice. */
  forget(): void
  /** Delivers everything this many milliseconds late. */
  delay(ms: number): void
  mend(): void
  stop(): void
}

export async function openWire(servicePort: number): Promise<Wire> {
  const port = await freePort()
  const open = new Set<Socket>()
  const forgotten = new Set<Socket>()
  let isCut: 'to the service' | 'from the service' | null = null
  let lateMs = 0
  let mended = Promise.withResolvers<void>()

  const server = createServer(process => {
    const service = connect(servicePort, '127.0.0.1')
    for (const socket of [process, service]) {
      open.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => open.delete(socket))
    }
    forward(process, service, 'to the service')
    forward(service, process, 'from the service')
    process.on('close', () => service.destroy())
    service.on('close', () => {
      if (!forgotten.has(service)) process.end()
    })
  })

  /** Delivers the data in order, each part when its direction is open and its delay is over. */
  function forward(from: Socket, to: Socket, direction: 'to the service' | 'from the service'): void {
    let before = Promise.resolve()
    from.on('data', data => {
      const dueAt = performance.now() + lateMs
      const isHeld = isCut === direction || lateMs > 0
      before = before.then(async () => {
        if (isHeld) await pause(Math.max(0, dueAt - performance.now()))
        while (isCut === direction) await mended.promise
        if (!forgotten.has(from) && !forgotten.has(to) && !to.destroyed) to.write(data)
      })
    })
  }

  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const mend = () => {
    isCut = null
    lateMs = 0
    mended.resolve()
    mended = Promise.withResolvers()
  }
  return {
    port,
    cut(direction) {
      isCut = direction
    },
    forget() {
      for (const socket of open) {
        if (socket.remotePort !== servicePort) continue
        forgotten.add(socket)
        socket.destroy()
      }
    },
    delay(ms) {
      lateMs = ms
    },
    mend,
    stop() {
      server.close()
      mend()
      for (const socket of open) socket.destroy()
    },
  }
}

/** The wires of one process: to each host of PostgreSQL, and to Redis. */
export type Wires = { postgres: Wire[]; redis: Wire }

export const allOf = ({ postgres, redis }: Wires): Wire[] => [...postgres, redis]
