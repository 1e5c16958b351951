import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createHttpServer } from '../../src/http/server.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

let server: Server
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.closeAllConnections()
  server.close()
})

const request = 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'
const many = request.repeat(100)
const gapMs = 250

async function listen(trustHttp = 0): Promise<number> {
  const config = { ...app.tools.config, trustProxy: { ...app.tools.config.trustProxy, http: trustHttp } }
  server = createHttpServer({ ...app.tools, config }, (_request, response) => void response.end())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

function open(port: number, bytes: string, localAddress = '127.0.0.1'): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  sockets.push(socket.on('error', () => {}))
  socket.write(bytes)
  return socket
}

/**
 * Sends these bytes, and returns the time of the first answer, or null if the connection was closed without an answer.
 */
function answeredAt(port: number, bytes: string, localAddress?: string): Promise<number | null> {
  const socket = open(port, bytes, localAddress)
  return new Promise(resolve => {
    socket.once('data', () => resolve(performance.now()))
    socket.once('close', () => resolve(null))
  })
}

const severalAtOnce = <T>(number: number, one: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: number }, one))

it('if one address opens several connections that pipeline too many requests, the service starts to answer each connection some time after the previous connection', async () => {
  const port = await listen()

  const times = await severalAtOnce(9, () => answeredAt(port, many))

  // A slow machine answers the first connections late, so the time between the first and the last answer may be shorter
  // than eight gaps.
  expect(Math.max(...times.map(Number)) - Math.min(...times.map(Number))).toBeGreaterThan(2 * gapMs)
})

it('after an address pipelines too much, its connections that would wait for more than 2.5 s are closed', async () => {
  const port = await listen()
  await answeredAt(port, many)

  const times = await severalAtOnce(40, () => answeredAt(port, request))

  expect(times).toContain(null)
  expect(times.filter(at => at !== null).length).toBeGreaterThan(5)
})

it('an address that pipelined too much is answered again after a short wait', async () => {
  const port = await listen()
  await answeredAt(port, many)

  expect(await answeredAt(port, request)).not.toBeNull()
})

it('clients at other addresses do not wait when one address pipelines too much', async () => {
  const port = await listen()
  await answeredAt(port, many)

  const [slowed, other] = await Promise.all([
    severalAtOnce(4, () => answeredAt(port, request)),
    answeredAt(port, request, '127.0.0.2'),
  ])

  expect(Number(other)).toBeLessThan(Math.max(...slowed.map(Number)))
})

it('the connections of a trusted proxy are all answered even if they pipeline too much', async () => {
  const port = await listen(1)

  const times = await severalAtOnce(40, () => answeredAt(port, many))

  expect(times).not.toContain(null)
})

it('a client that disconnects while its connection waits does not block later connections', async () => {
  const port = await listen()
  await severalAtOnce(4, async () => answeredAt(port, many))

  await severalAtOnce(4, async () => {
    const socket = open(port, request)
    await once(socket, 'connect')
    await pause(20)
    socket.resetAndDestroy()
  })

  expect(await answeredAt(port, request)).not.toBeNull()
})

it.each(['ends', 'resets'])(
  'the service closes a connection without a request if the client %s the connection at once',
  async how => {
    const port = await listen()
    let begun = 0
    server.on('connection', () => begun++)
    // Disable the server's timeouts, which would close the connections later in any case.
    Object.assign(server, { headersTimeout: 0, requestTimeout: 0, timeout: 0 })

    for (let i = 0; i < 20; i++) {
      const socket = open(port, '')
      socket.once('connect', () => (how === 'ends' ? socket.end() : socket.resetAndDestroy()))
    }

    await expect.poll(() => begun).toBe(20)
    await expect.poll(() => promisify(server.getConnections.bind(server))()).toBe(0)
  },
)
