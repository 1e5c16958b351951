import { connect, createServer, type Socket } from 'node:net'
import { freePort } from './programs.ts'

/** Forwards traffic between clients and a server, and holds back the server's data on command. */
export type HoldingProxy = {
  port: number
  hold(): void
  /** Returns the bytes that the proxy holds back now on all connections, as text. */
  held(): string
  /** From now on, drops everything that clients send. */
  swallow(): void
  /** Ends all connections. From now on, the proxy connects new clients to the server on port `serverPort`. */
  turnTo(serverPort: number): void
  /** Sends everything that was held back. */
  release(): void
  stop(): void
}

export async function startHoldingProxy(serverPort: number): Promise<HoldingProxy> {
  const port = await freePort()
  const held = new Map<Socket, Buffer[]>()
  const open = new Set<Socket>()
  const ended: Socket[] = []
  let holding = false
  let swallowing = false
  const server = createServer(client => {
    const upstream = connect(serverPort, '127.0.0.1')
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => open.delete(socket))
    }
    client.on('data', data => swallowing || upstream.write(data))
    client.on('close', () => upstream.destroy())
    upstream.on('data', (data: Buffer) => {
      if (holding) held.set(client, [...(held.get(client) ?? []), data])
      else client.write(data)
    })
    upstream.on('close', () => {
      if (holding) ended.push(client)
      else client.end()
    })
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return {
    port,
    hold() {
      holding = true
    },
    held: () => Buffer.concat([...held.values()].flat()).toString('latin1'),
    swallow() {
      swallowing = true
    },
    turnTo(otherPort) {
      serverPort = otherPort
      for (const socket of open) socket.destroy()
    },
    release() {
      holding = false
      for (const [client, answers] of held) client.write(Buffer.concat(answers))
      held.clear()
      for (const client of ended.splice(0)) client.end()
    },
    stop() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
