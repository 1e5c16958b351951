import { request } from 'node:http'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRawConnection } from '../support/raw-connection.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
let poor: TestProject
beforeAll(async () => {
  app = await startApp()
  store = await app.makeProject()
  poor = await app.makeProject({ plan: 'enterprise', perMinute: 1, perDay: 1 })
  await poor.get('/v1/pets')
})
afterAll(() => app.stop())

const pet = JSON.stringify({ name: 'Rex', categoryId: 1 })
const operation = JSON.stringify({ query: '{ pets { nodes { id } } }' })

function head(path: string, lines: string[], secret: string | null = store.secret): string {
  const known = ['host: localhost', 'content-type: application/json', ...lines]
  if (secret) known.push(`authorization: Bearer ${secret}`)
  return `POST ${path} HTTP/1.1\r\n${known.join('\r\n')}\r\n\r\n`
}

/** A stream that repeats a text, as fast as the service reads. */
const repeat = (text: string, times: number) => Readable.from(Array(times).fill(text))

describe('a body that is too large', () => {
  it.each([
    ['/v1/pets', 50_000_000],
    ['/v1/pets', 65_537],
    ['/graphql', 50_000_000],
    ['/graphql', 65_537],
  ])('a body at %s of Content-Length %i is refused before any of it is read', async (path, length) => {
    const { socket, answers, ended } = await openRawConnection(app.url)

    socket.write(head(path, [`content-length: ${length}`]))
    const [refused] = await answers(1)
    await ended

    expect(refused?.status).toBe(413)
    expect(refused?.headers.get('connection')).toBe('close')
    expect(refused?.body).toContain('body_too_large')
  })

  it.each([
    ['announced', '/v1/pets', pet, 201],
    ['announced', '/graphql', operation, 200],
    ['in chunks', '/v1/pets', pet, 201],
    ['in chunks', '/graphql', operation, 200],
  ])(
    'a body of 65,536 bytes is accepted and a body of 65,537 bytes is too large: %s, at %s',
    async (how, path, json, status) => {
      const send = (bytes: number) =>
        new Promise<number | undefined>((resolve, reject) => {
          const headers = { authorization: `Bearer ${store.secret}`, 'content-type': 'application/json' }
          const outgoing = request(app.url + path, { method: 'POST', agent: false, headers }, answer => {
            answer.resume()
            resolve(answer.statusCode)
          })
          outgoing.on('error', reject)
          if (how === 'announced') outgoing.setHeader('content-length', bytes)
          outgoing.write(json)
          outgoing.end(' '.repeat(bytes - json.length))
        })

      expect(await send(64 * 1024)).toBe(status)
      expect(await send(64 * 1024 + 1)).toBe(413)
    },
  )

  it.each([
    ['with a Content-Length', 'content-length: 200000000', () => store.secret, 413],
    ['in chunks', 'transfer-encoding: chunked', () => store.secret, 413],
    ['with a Content-Length and without a key', 'content-length: 200000000', () => null, 401],
    ['in chunks and without a key', 'transfer-encoding: chunked', () => null, 401],
  ])('the service stops reading a body that is too large: %s', async (_how, length, secretOf, status) => {
    const { socket, answers, ended } = await openRawConnection(app.url)

    socket.write(head('/v1/pets', [length], secretOf()))
    repeat(`100000\r\n${'x'.repeat(0x100000)}\r\n`, 200).pipe(socket)
    const [refused] = await answers(1)
    await ended

    expect(refused?.status).toBe(status)
    expect(refused?.headers.get('connection')).toBe('close')
    expect(socket.bytesWritten - socket.writableLength).toBeLessThan(50_000_000)
  })

  it('a client that is still sending a body that is too large can read the 413', async () => {
    const statuses = await Promise.all(Array.from({ length: 20 }, sendTooMuch))

    expect(statuses).toEqual(Array(20).fill(413))
  })

  function sendTooMuch(): Promise<number | string | undefined> {
    const headers = {
      authorization: `Bearer ${store.secret}`,
      'content-type': 'application/json',
      'content-length': 50_000_000,
    }
    return new Promise(resolve => {
      const outgoing = request(`${app.url}/v1/pets`, { method: 'POST', headers, agent: false }, answer => {
        answer.resume()
        answer.on('end', () => {
          outgoing.destroy()
          resolve(answer.statusCode)
        })
      })
      outgoing.on('error', fault => resolve(fault.message))
      repeat('x'.repeat(1_000_000), 50).pipe(outgoing)
    })
  }
})

it.each([
  ['a refused body of the maximum size', () => 'x'.repeat(64 * 1024), false, 401],
  ['a whole body in pieces', () => pet, true, 201],
])('the connection stays open after a client sends %s', async (_what, bodyOf, isChunked, status) => {
  const { socket, answers } = await openRawConnection(app.url)
  const body = bodyOf()
  const length = isChunked ? 'transfer-encoding: chunked' : `content-length: ${body.length}`

  socket.write(head('/v1/pets', [length], isChunked ? store.secret : `${store.secret}x`))
  socket.write(isChunked ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body)
  await answers(1)
  socket.write('GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')

  expect((await answers()).map(({ status }) => status)).toEqual([status, 200])
})

describe('Expect: 100-continue', () => {
  it.each([
    ['/v1/pets', pet, 201],
    ['/graphql', operation, 200],
  ])(
    'a request with Expect: 100-continue gets 100 at %s, and then its answer',
    async (path, body, status) => {
      const { socket, answers } = await openRawConnection(app.url)

      socket.write(
        head(path, [`content-length: ${body.length}`, 'expect: 100-continue', 'connection: close']),
      )
      const [invitation] = await answers(1)
      socket.write(body)

      expect(invitation?.status).toBe(100)
      expect((await answers()).map(answer => answer.status)).toEqual([100, status])
    },
  )

  it('Expect: 100-Continue works in upper and lower case, and is ignored over HTTP/1.0', async () => {
    const { socket, answers } = await openRawConnection(app.url)
    const lines = [`content-length: ${pet.length}`, 'expect: 100-Continue']

    socket.write(head('/v1/pets', [...lines, 'connection: close']) + pet)
    const seenStatuses = (await answers()).map(({ status }) => status)
    const older = await openRawConnection(app.url)
    older.socket.write(head('/v1/pets', lines).replace('HTTP/1.1', 'HTTP/1.0') + pet)

    expect(seenStatuses).toEqual([100, 201])
    expect((await older.answers()).map(({ status }) => status)).toEqual([201])
  })

  it.each([
    ['/v1/pets', 'without a key', () => null, pet.length, 401],
    ['/graphql', 'with a wrong key', () => `${store.secret}x`, operation.length, 401],
    ['/v1/pets', 'over the limit', () => poor.secret, pet.length, 429],
    ['/v1/pets', 'with a body that is too large', () => store.secret, 999_999_999, 413],
    ['/graphql', 'with a body that is too large', () => store.secret, 999_999_999, 413],
    ['/nowhere', 'to an unknown path', () => store.secret, pet.length, 404],
  ])(
    'a request with Expect: 100-continue at %s is refused without a 100: %s',
    async (path, _why, secretOf, length, status) => {
      const { socket, answers } = await openRawConnection(app.url)

      socket.write(head(path, [`content-length: ${length}`, 'expect: 100-continue'], secretOf()))

      expect((await answers()).map(answer => answer.status)).toEqual([status])
    },
  )
})

it.each([
  ['/v1/pets', pet, 201],
  ['/graphql', operation, 200],
])(
  'a request with an unknown expectation at %s is answered as if it had no Expect header',
  async (path, body, status) => {
    const { socket, answers } = await openRawConnection(app.url)

    socket.write(
      head(path, [`content-length: ${body.length}`, 'expect: a-miracle', 'connection: close']) + body,
    )

    expect((await answers()).map(answer => answer.status)).toEqual([status])
  },
)
