import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createHttpServer } from '../../src/http/server.ts'
import { openRawConnection } from '../support/raw-connection.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

let server: Server
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  server.closeAllConnections()
  server.close()
})

/** A server like the service's, with a shorter timeout. */
async function listen(listener: RequestListener, timeout = 300): Promise<string> {
  server = createHttpServer(app.tools, listener)
  server.timeout = timeout
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function openReader(url: string, localAddress?: string): Socket {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress })
  socket.on('error', () => {})
  sockets.push(socket)
  return socket
}

const request = (path = '/') => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`
/** More than the buffers at both ends of a connection hold. */
const large = Buffer.alloc(20_000_000, 'x')

describe('a client that reads nothing', () => {
  it('a client that reads nothing is disconnected after thirty seconds', () => {
    server = createHttpServer(app.tools, () => {})

    expect(server.timeout).toBe(30_000)
  })

  it.each(['one large answer', 'an answer in many parts'])(
    'a client that reads nothing is disconnected: %s',
    async kind => {
      let isClosed = false
      const url = await listen((_request, response) => {
        response.once('close', () => {
          isClosed = true
        })
        if (kind === 'one large answer') return void response.end(large)
        const write = () => {
          while (!response.destroyed && response.write(large.subarray(0, 65_536)));
        }
        response.on('drain', write)
        write()
      })
      const reader = openReader(url)
      reader.pause()

      reader.write(request())

      await expect.poll(() => isClosed).toBe(true)
    },
  )

  it('a client that reads slowly is not disconnected', async () => {
    const url = await listen((_request, response) => void response.end(large), 2_000)
    const reader = openReader(url)
    let received = 0
    reader.on('data', chunk => {
      received += chunk.length
    })

    reader.write(request())
    // Each pause is shorter than the timeout; together they are longer.
    for (let n = 1; n <= 8; n++) {
      reader.pause()
      await wait(300)
      reader.resume()
      while (received < n * 2_000_000) await once(reader, 'data')
    }

    await expect.poll(() => received).toBeGreaterThan(large.length)
    expect(reader.destroyed).toBe(false)
  })
})

it('a client that waits for a slow answer is not disconnected', async () => {
  const url = await listen((_request, response) => void setTimeout(() => response.end('late'), 1_000))
  const { socket, answers } = await openRawConnection(url)

  socket.write(request())

  expect(await answers(1)).toMatchObject([{ status: 200, body: expect.stringContaining('late') }])
  socket.destroy()
})

it('an idle connection is closed after the keep-alive timeout', async () => {
  const url = await listen((_request, response) => void response.end('ok'))
  server.keepAliveTimeout = 200
  const { socket, ended } = await openRawConnection(url)

  socket.write(request())

  await ended
})

describe('pipelined requests', () => {
  it('pipelined requests begin only when the client has read the answers before them', async () => {
    let begun = 0
    const url = await listen((_request, response) => {
      begun++
      response.end(large)
    }, 60_000)
    const reader = openReader(url)
    reader.pause()

    reader.write(request().repeat(10))
    await expect.poll(() => begun).toBe(1)
    await wait(200)
    expect(begun).toBe(1)

    reader.resume()
    await expect.poll(() => begun).toBe(10)
  })

  it('pipelined requests are answered in order', async () => {
    const url = await listen(({ url }, response) => void setTimeout(() => response.end(url), 10))
    const { socket, answers } = await openRawConnection(url)

    socket.write(Array.from({ length: 10 }, (_, n) => request(`/${n}`)).join(''))

    const found = await answers(10)
    expect(found.map(({ body }) => body)).toEqual(Array.from({ length: 10 }, (_, n) => `/${n}`))
    socket.destroy()
  })

  it('a request of another connection does not wait until all pipelined requests are answered', async () => {
    const begun: string[] = []
    const { socket: other, answers: answersOfOther } = await openRawConnection(
      await listen(({ url = '' }, response) => {
        if (begun.push(url) === 1) other.write(request('/other'))
        const since = performance.now()
        while (performance.now() - since < 2);
        response.end(url)
      }),
    )
    const { port } = server.address() as AddressInfo
    const { socket, answers } = await openRawConnection(`http://127.0.0.1:${port}`)

    socket.write(request('/pipelined').repeat(10))

    await Promise.all([answers(10), answersOfOther(1)])
    expect(begun.indexOf('/other')).toBeLessThan(9)
    for (const each of [socket, other]) each.destroy()
  })

  it('requests beyond ten waiting pipelined requests are dropped, and the connection is closed', async () => {
    let begun = 0
    const url = await listen(({ url }, response) => {
      begun++
      setTimeout(() => response.end(url), 1)
    })
    const { socket, answers } = await openRawConnection(url)

    socket.write(request().repeat(500))

    const found = await answers()
    expect(found.map(({ headers }) => headers.get('connection')).at(-1)).toBe('close')
    expect([found.length, begun]).toEqual([11, 11])
  })

  it('a connection that pipelines too much is not read while an answer is under way', async () => {
    let read = 0
    const url = await listen(({ url }, response) => void (url === '/' && response.end()), 30_000)
    server.on('request', () => read++)
    const { socket } = await openRawConnection(url)
    socket.write(request('/held'))
    await expect.poll(() => read).toBe(1)

    socket.write(request().repeat(20_000))
    await expect.poll(() => read).toBeGreaterThan(10)
    const other = openReader(url, '127.0.0.2')
    for (let i = 0; i < 20; i++) {
      other.write(request())
      await once(other, 'data')
    }

    // Node.js parses at most 64 KB at once.
    expect((read - 20) * request().length).toBeLessThan(2 * 65_536)
    socket.destroy()
  })

  it('if a new connection begins with too many pipelined requests, Node.js does not parse the requests that would be dropped', async () => {
    let read = 0
    const url = await listen(({ url }, response) => void response.end(url))
    server.on('request', () => read++)
    const { socket, answers } = await openRawConnection(url)

    socket.write(request().repeat(500))

    expect((await answers()).length).toBe(11)
    expect(read).toBe(11)
  })

  it.each(['content-length: 900', 'transfer-encoding: chunked'])(
    'a body that looks like several requests is read as one body and not as pipelined requests: %s',
    async framing => {
      const body = request().repeat(30).slice(0, 900)
      const url = await listen(async (incoming, response) => {
        let text = ''
        for await (const piece of incoming) text += piece
        response.end(`${incoming.url} ${text.length}`)
      })
      const { socket, answers } = await openRawConnection(url)

      const sent = framing.startsWith('c') ? body : `${(900).toString(16)}\r\n${body}\r\n0\r\n\r\n`
      socket.write(`GET /first HTTP/1.1\r\nhost: localhost\r\n${framing}\r\n\r\n${sent}${request('/second')}`)

      expect((await answers(2)).map(({ body }) => body)).toEqual(['/first 900', '/second 0'])
      socket.destroy()
    },
  )

  it('dropped requests get no stack traces, which would cost more than the requests', async () => {
    const url = await listen(({ url }, response) => void response.end(url))
    const before = Error.stackTraceLimit
    const stacks: (string | undefined)[] = []
    server.on('request', dropped => dropped.on('error', (error: Error) => stacks.push(error.stack)))
    const { socket, answers, ended } = await openRawConnection(url)
    // Send one request first. If the 500 requests were the first bytes of the connection, the service would cut off
    // most of them before Node.js parses them, so no requests would be dropped after parsing.
    socket.write(request())
    await answers(1)

    socket.write(request().repeat(500))

    await ended
    await expect.poll(() => stacks.length).toBeGreaterThan(400)
    expect(stacks.some(stack => stack?.includes('\n'))).toBe(false)
    expect(Error.stackTraceLimit).toBe(before)
  })

  it('pipelined requests do not begin after their client disconnected', async () => {
    let begun = 0
    const url = await listen((_request, response) => {
      begun++
      setTimeout(() => response.end('ok'), 1_500)
    })
    const { socket } = await openRawConnection(url)

    socket.write(request().repeat(5))
    await expect.poll(() => begun).toBe(1)
    socket.destroy()
    await wait(2_000)

    expect(begun).toBe(1)
  })
})

it('a hundred clients that pipeline and read nothing use little memory, and others are answered', async () => {
  const readers = Array.from({ length: 100 }, () => openReader(app.url))
  server = createHttpServer(app.tools, () => {})
  const before = process.memoryUsage().rss

  for (const reader of readers) {
    reader.pause()
    reader.write(request('/openapi.yaml').repeat(400))
  }
  await wait(1_000)

  const other = openReader(app.url, '127.0.0.2')
  other.write(request('/livez'))
  expect(String(await once(other, 'data'))).toContain('HTTP/1.1 200 ')
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
})
