import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openRawConnection } from '../support/raw-connection.ts'
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
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('access-control-allow-origin')).toBe('*')
  if (status === 405) expect(headers.get('allow')).toBe('GET, HEAD, POST, PATCH, DELETE, OPTIONS')
  await vi.waitFor(() => expect(countOf(name, status)).toBe(before + 1))
  expect(logged.mock.calls.flat()).toContainEqual(
    expect.objectContaining({ requestId, method: name, route: 'none', status }),
  )
  logged.mockRestore()
})

it('an address in full, which proxies send, leads where its path does', async () => {
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
  '%s holds up no ending of the service, though its client never hangs up',
  async line => {
    const ending = await startApp()
    const { socket, answers } = await openRawConnection(ending.url, { allowHalfOpen: true })
    socket.write(`${line} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
    await answers(1)

    await ending.stop()

    socket.destroy()
  },
)
