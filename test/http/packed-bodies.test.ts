import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { Request, Response } from 'express'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readBody } from '../../src/http/body.ts'
import { openRawConnection } from '../support/raw-connection.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
beforeAll(async () => {
  app = await startApp()
  store = await app.makeProject()
})
afterAll(() => app.stop())

const pet = JSON.stringify({ name: 'Rex', categoryId: 1 })
const json = { 'content-type': 'application/json' }

it.each([
  ['gzip', gzipSync(pet)],
  ['deflate', deflateSync(pet)],
  ['br', brotliCompressSync(pet)],
  ['GZip', gzipSync(pet)],
  ['x-gzip', gzipSync(pet)],
  ['identity', Buffer.from(pet)],
])('a body compressed with %s is decompressed', async (encoding, body) => {
  const added = await store.ask('/v1/pets', {
    method: 'POST',
    headers: { ...json, 'content-encoding': encoding },
    body,
  })

  expect([added.status, added.json]).toEqual([201, expect.objectContaining({ name: 'Rex' })])
})

it.each([
  ['that is not in its stated encoding', 'gzip', Buffer.from(pet), 400, 'malformed_request'],
  ['cut off in the middle', 'gzip', gzipSync(pet).subarray(0, 20), 400, 'malformed_request'],
  ['with an unknown encoding', 'zip', Buffer.from(pet), 415, 'unsupported_media_type'],
])('a compressed body %s is refused', async (_what, encoding, body, status, code) => {
  const refused = await store.ask('/v1/pets', {
    method: 'POST',
    headers: { ...json, 'content-encoding': encoding },
    body,
  })

  expect(refused.json).toMatchObject({ code, status })
})

it('a compressed body whose client disconnects is dropped and creates nothing', async () => {
  const { socket, ended } = await openRawConnection(app.url)
  const before = (await store.get('/v1/pets?limit=100')).text
  const lines = ['host: localhost', `authorization: Bearer ${store.secret}`, 'content-type: application/json']
  const head = [...lines, 'content-encoding: gzip', 'content-length: 1000'].join('\r\n')

  socket.write(`POST /v1/pets HTTP/1.1\r\n${head}\r\n\r\n`)
  socket.write(gzipSync(pet))
  socket.destroy()
  await ended

  expect((await store.get('/v1/pets?limit=100')).text).toBe(before)
})

it.each(['identity', 'gzip'])(
  'reading a body whose client has already disconnected ends at once with malformed_request, and does not hang: %s',
  async encoding => {
    const read = Promise.withResolvers<unknown>()
    const server = createServer(async (request, response) => {
      await new Promise<void>(resolve => request.once('close', resolve))
      read.resolve(readBody(request as Request, response as Response, 1000, () => {}).catch(fault => fault))
    }).listen(0)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { socket } = await openRawConnection(`http://localhost:${port}`)

    socket.write(
      `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-encoding: ${encoding}\r\ncontent-length: 9\r\n\r\n{`,
    )
    await once(server, 'request')
    socket.destroy()

    const fault = await Promise.race([read.promise, pause(2_000, 'still waited for')])
    server.close()
    expect(fault).toMatchObject({ code: 'malformed_request' })
  },
)
