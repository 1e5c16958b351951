import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { serve, serverOptions } from '../../src/http/server.ts'
import { openRawConnection } from '../support/raw-connection.ts'
import { sendRaw } from '../support/send-raw.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

function countOf(method: string, status: number): number {
  const line = `animal_store_request_seconds_count{method="${method}",route="none",status="${status}"} `
  const found = app.tools.metrics
    .text()
    .split('\n')
    .find(each => each.startsWith(line))
  return Number(found?.slice(line.length) ?? 0)
}

it.each([
  ['GET', 'http://[::1/v1/pets', 'GET', 400, 'malformed_request'],
  ['POST', 'http://[::1/v1/pets', 'POST', 400, 'malformed_request'],
  ['DELETE', 'http://localhost:99999/v1/pets', 'DELETE', 400, 'malformed_request'],
  ['GET', 'ftp://[::1/v1/pets', 'GET', 400, 'malformed_request'],
  ['CONNECT', 'localhost:80', 'CONNECT', 405, 'method_not_allowed'],
  ['what?', '/', 'unknown', 400, 'malformed_request'],
])('%s %s is refused in the Error shape, with all headers, a log line and a count', async (...row) => {
  const [method, target, name, status, code] = row
  const { socket, answers } = await openRawConnection(app.url)
  const logged = vi.spyOn(app.tools.log, 'info')
  const before = countOf(name, status)

  socket.write(`${method} ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`)
  const [refused, ...more] = await answers()

  expect(more).toEqual([])
  expect(refused?.status).toBe(status)
  expect(JSON.parse(refused?.body ?? '')).toEqual({ code, message: expect.any(String), status })
  const { headers = new Headers() } = refused ?? {}
  const requestId = headers.get('x-request-id')
  expect(requestId).toMatch(/^[\w-]{36}$/)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('x-ratelimit-limit')).toBe('60')
  // The limits were read, but the request was not charged.
  expect(headers.get('x-ratelimit-remaining')).toBe('60')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('connection')).toBe('close')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('access-control-allow-origin')).toBe('*')
  if (status === 405) expect(headers.get('allow')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS')
  await expect.poll(() => countOf(name, status)).toBe(before + 1)
  expect(logged.mock.calls.flat()).toContainEqual(
    expect.objectContaining({ requestId, method: name, route: 'none', status }),
  )
  logged.mockRestore()
})

it('an absolute address in the request line, as proxies send, is routed by its path', async () => {
  const { socket, answers } = await openRawConnection(app.url)

  socket.write('GET http://localhost/livez HTTP/1.1\r\nhost: localhost\r\n\r\n')
  socket.write('GET HTTP://localhost?x HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')

  const seen = (await answers()).map(({ status, headers }) => [status, headers.get('location')])
  expect(seen).toEqual([
    [200, null],
    [302, '/reference'],
  ])
})

it.each(['CONNECT localhost:80', 'what? /'])(
  'the service stops without delay after the request %s, even if the client of this request never disconnects',
  async line => {
    const ending = await startApp()
    const { socket, answers } = await openRawConnection(ending.url, { allowHalfOpen: true })
    socket.write(`${line} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
    await answers(1)

    await ending.stop()

    socket.destroy()
  },
)

it('a client that requests a tunnel and disconnects causes no logged error', async () => {
  const errors = vi.spyOn(app.tools.log, 'error')

  for (let n = 0; n < 5; n++) {
    const { socket, ended } = await openRawConnection(app.url)
    socket.write('CONNECT localhost:80 HTTP/1.1\r\nhost: localhost\r\n\r\n', () => socket.resetAndDestroy())
    await ended
  }

  expect((await app.ask('/livez')).status).toBe(200)
  expect(errors).not.toHaveBeenCalled()
  vi.restoreAllMocks()
})

it.each([
  ['a header', 'GET / HTTP/1.1\r\nhost: localhost\r\n'],
  ['a body', 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n{'],
])('a client that is too slow with %s gets 408 in the Error shape', async (_what, bytes) => {
  const soon = { headersTimeout: 40, requestTimeout: 50, connectionsCheckingInterval: 10 }
  const server = serve(
    app.tools,
    createServer({ ...serverOptions, ...soon }),
    (_request, response) => {
      // The first middleware of the app sets `locals`.
      Object.assign(response, { locals: {} })
    },
    0,
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { socket, answers } = await openRawConnection(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  )

  socket.write(bytes)
  const [refused, ...more] = await answers()
  server.close()

  expect(more).toEqual([])
  expect([refused?.status, refused?.headers.get('connection')]).toEqual([408, 'close'])
  expect(JSON.parse(refused?.body ?? '')).toEqual({
    ...{ code: 'request_timeout', status: 408, message: 'The request took too long to arrive.' },
  })
})

it('if the limits cannot be read, an unreadable request gets no answer, its connection is closed, and the error is logged', async () => {
  const bug = new Error('a bug')
  const errors = vi.spyOn(app.tools.log, 'error')
  vi.spyOn(app.tools.limiter, 'get').mockRejectedValueOnce(bug).mockRejectedValueOnce(bug)

  for (const line of ['what? /', 'CONNECT localhost:80']) {
    const { socket, answers } = await openRawConnection(app.url)
    socket.write(`${line} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
    expect(await answers()).toEqual([])
  }

  expect(errors.mock.calls).toEqual([
    [{ error: bug }, 'unhandled error'],
    [{ error: bug }, 'unhandled error'],
  ])
  vi.restoreAllMocks()
})

it('a request over HTTP/1.0 without a Host is answered as at the service’s own address', async () => {
  const { socket, answers } = await openRawConnection(app.url)

  socket.write('GET /livez HTTP/1.0\r\n\r\n')

  expect((await answers()).map(({ status }) => status)).toEqual([200])
})

it.each([
  ['two hosts', 'host: localhost\r\nhost: localhost', 400, 'The request has more than one Host header.'],
  [
    'two hosts in different case',
    'HOST: localhost\r\nHost: x',
    400,
    'The request has more than one Host header.',
  ],
  ['no host', 'accept: */*', 400, 'The request has no Host header.'],
  [
    'an unknown transfer coding',
    'host: localhost\r\ntransfer-encoding: gzip, chunked',
    501,
    'The only known transfer coding is chunked.',
  ],
])(
  'a request with %s is refused with a clear message and costs nothing',
  async (_what, lines, status, message) => {
    for (let n = 0; n < 2; n++) {
      const { socket, answers } = await openRawConnection(app.url)
      socket.write(`GET /livez HTTP/1.1\r\n${lines}\r\nconnection: close\r\n\r\n0\r\n\r\n`)
      const [refused] = await answers(1)

      expect(JSON.parse(refused?.body ?? '')).toMatchObject({ status, message })
      expect(refused?.headers.get('x-ratelimit-remaining')).toBe('60')
    }
  },
)

it('a chunked body is read whatever the case of the word chunked in Transfer-Encoding', async () => {
  const { socket, answers } = await openRawConnection(app.url)

  socket.write(
    'POST /nowhere HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: Chunked\r\nconnection: close\r\n\r\n0\r\n\r\n',
  )

  expect((await answers()).map(({ status }) => status)).toEqual([404])
})

it.each([
  'GET /v1/pets HTTP/1.2\r\nhost: localhost\r\n\r\n',
  'GET /v1/pets HTTP/9.9\r\nhost: localhost\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
])('a request with another version of HTTP gets a 505: %j', async bytes => {
  const refused = await sendRaw(app.url, bytes)

  expect(JSON.parse(refused.body)).toMatchObject({ code: 'http_version_not_supported', status: 505 })
})

it.each([
  'GET /v1/pets HTTP/1.1\nhost: localhost\n\n',
  'GET /v1/pets HTTP/1.0\nhost: localhost\r\n\r\n',
  'GET /v1/pets HTTP/1.1 x\r\nhost: localhost\r\n\r\n',
])('a request line that does not end after its version gets a 400: %j', async bytes => {
  const refused = await sendRaw(app.url, bytes)

  expect(JSON.parse(refused.body)).toMatchObject({ code: 'malformed_request', status: 400 })
})
