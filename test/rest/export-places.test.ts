import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { openExportPlaces } from '../../src/core/export-places.ts'
import { fill } from '../support/fill.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
beforeAll(async () => {
  app = await startApp()
  store = await app.makeProject({ perMinute: 1_000_000, perDay: 10_000_000 })
  // The export of these pets is larger than the buffers of a connection, so an export to a stalled reader cannot end.
  await fill(
    app.tools,
    `INSERT INTO pets (project_id, name, category_id)
     SELECT ${store.project.id}, repeat('a pet with a long name ', 10), i FROM generate_series(1, 60000) AS i`,
  )
})
afterAll(() => app.stop())

const readers: Socket[] = []
afterEach(() => {
  for (const reader of readers.splice(0)) reader.destroy()
})

/** Opens a client that requests an export and reads nothing. */
function openReader({ secret }: TestProject, more = ''): Socket {
  const socket = connect({ port: Number(new URL(app.url).port), host: '127.0.0.1' })
  socket.on('error', () => {})
  socket.pause()
  socket.write(
    `GET /v1/pets/export HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${secret}\r\n${more}\r\n`,
  )
  readers.push(socket)
  return socket
}

it('an export of a project starts soon, even if sixty readers of the same project have stalled', async () => {
  const lists = vi.spyOn(app.tools.pets, 'listPart')
  await store.get('/v1/pets/export')
  const alone = lists.mock.calls.length

  for (let n = 0; n < 60; n++) openReader(store)
  await expect.poll(() => lists.mock.calls.length).toBeGreaterThan(alone)
  // Ask every second, as clients do that follow the Retry-After of a 429.
  const countLines = async () => (await store.get('/v1/pets/export')).text.match(/.\n/g)?.length
  await expect.poll(countLines, { interval: 1_000 }).toBe(60_000)

  expect(lists.mock.calls.length).toBeLessThan(6 * alone)
})

it('a project may have at most four exports under way, whatever other projects do', async () => {
  const other = await app.makeProject()
  for (let n = 0; n < 4; n++) openReader(store)
  await expect.poll(() => app.tools.metrics.requests.inFlight).toBe(4)

  const before = await store.get('/v1/rate-limit')
  const refused = await store.get('/v1/pets/export')

  const left = ({ headers }: typeof refused) => Number(headers['x-ratelimit-remaining'])
  expect([refused.status, refused.headers['retry-after'], refused.json]).toMatchObject([
    429,
    '1',
    {
      code: 'rate_limited',
      message: 'Too many exports of this project are under way; try again in a moment.',
    },
  ])
  expect(left(refused) - left(await store.get('/v1/pets'))).toBe(1)
  expect(left(before) - left(refused)).toBe(1)
  expect((await other.get('/v1/pets/export')).status).toBe(200)
})

it('an export whose client has left before the export begins takes no place', async () => {
  const { limiter, metrics } = app.tools
  const small = await app.makeProject()
  const left = Promise.withResolvers<void>()
  const read = limiter.get.bind(limiter)
  const reads = vi.spyOn(limiter, 'get').mockImplementation(async (...budget) => {
    await left.promise
    return read(...budget)
  })
  for (let n = 0; n < 4; n++) openReader(small, 'accept-encoding: gzip\r\n')
  await expect.poll(() => reads.mock.calls.length).toBe(4)
  for (const reader of readers) reader.destroy()
  await expect.poll(() => metrics.requests.inFlight).toBe(0)

  left.resolve()
  reads.mockRestore()

  expect((await small.get('/v1/pets/export')).status).toBe(200)
})

it('a new export replaces the export that has stalled the longest', () => {
  let now = 0
  const cut: number[] = []
  const open = openExportPlaces(() => now)
  const places = [0, 1, 2, 3].map(n => open(store.project, () => cut.push(n)))
  for (const [n, place] of [2, 0, 1].entries()) {
    now = n
    places[place]?.wait()
  }
  places[2]?.goOn()

  now = 1_001
  expect(() => open(store.project, () => {})).toThrow('Too many exports of this project are under way')
  now = 1_003
  open(store.project, () => {})
  places[0]?.free()
  places[3]?.free()
  open(store.project, () => {})

  expect(cut).toEqual([0])
})
