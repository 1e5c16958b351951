import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  type MockInstance,
  vi,
} from 'vitest'
import { openRawConnection } from '../support/raw-connection.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
let lines: MockInstance
let errors: MockInstance
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  store = await app.makeProject()
  lines = vi.spyOn(app.tools.log, 'info')
  errors = vi.spyOn(app.tools.log, 'error')
})
afterEach(() => {
  lines.mockRestore()
  errors.mockRestore()
})

const inFlight = () => app.tools.metrics.requests.inFlight
const linesOf = (route: string) => lines.mock.calls.flat().filter(line => line.route === route)

describe('the log line of a request', () => {
  it('a log line has the route, the key, the project and the outcome of the request', async () => {
    await store.get('/v1/pets/404?color=secret')
    await app.ask('/v1/pets/404')

    await expect.poll(() => linesOf('/v1/pets/:petId').concat(linesOf('none'))).toHaveLength(2)
    const [known] = linesOf('/v1/pets/:petId')
    const [key] = await app.tools.db.apiKey.findMany({ where: { id: store.keyId } })
    expect(known).toMatchObject({
      method: 'GET',
      status: 404,
      milliseconds: expect.any(Number),
      project: store.project.slug,
      key: key?.prefix,
    })
    expect(known?.aborted).toBeUndefined()
    expect(linesOf('none')[0]).toMatchObject({ status: 401, project: undefined, key: undefined })
    for (const secret of [store.secret, 'color=secret'])
      expect(JSON.stringify(lines.mock.calls)).not.toContain(secret)
  })

  it('every failed request is logged, and only a share of the successful requests is logged', async () => {
    const { log } = app.tools.config
    const before = { ...log }
    log.requests = 0

    await store.get('/v1/pets')
    await store.get('/v1/pets/404')
    await expect.poll(() => linesOf('/v1/pets/:petId')).toHaveLength(1)
    Object.assign(log, before)

    expect(linesOf('/v1/pets')).toEqual([])
  })

  it('the metrics of a request agree with its log line except for delays on purpose, and count refusals by reason', async () => {
    const poor = await app.makeProject({ perMinute: 1, perDay: 100 })
    const read = (name: string) => {
      const line = app.tools.metrics
        .text()
        .split('\n')
        .find(found => found.startsWith(`${name} `))
      return Number(line?.slice(name.length) ?? 0)
    }
    // These requests are refused before a route is chosen, so the label of the route is `none`.
    const labels = '{method="GET",route="none",status="429"}'
    const figures = () => [
      read(`animal_store_request_seconds_count${labels}`),
      read('animal_store_refusals_total{reason="limited"}'),
      read('animal_store_refusals_total{reason="banned"}'),
    ]
    // The log line has the whole time, and the metrics leave out the time for which the service delays a request.
    const wait = vi.spyOn(app.tools.refusalPace, 'wait').mockImplementation(async (_subject, { locals }) => {
      await pause(21)
      locals.delayedMs = 20
    })
    const before = figures()
    const secondsBefore = read(`animal_store_request_seconds_sum${labels}`)

    for (let n = 0; n < 6; n++) await poor.get('/v1/pets/404')

    const refusals = () => linesOf('none').filter(({ status }) => status === 429)
    await expect.poll(refusals).toHaveLength(5)
    wait.mockRestore()
    // The ban starts when the refusals reach three times the limit.
    expect(figures().map((count, i) => count - (before[i] ?? 0))).toEqual([5, 3, 2])
    const milliseconds = refusals().reduce((sum, line) => sum + line.milliseconds, 0)
    expect(read(`animal_store_request_seconds_sum${labels}`) - secondsBefore).toBeCloseTo(
      milliseconds / 1000 - 0.1,
      3,
    )
  })

  it('the log line says when the client did not read the whole answer', async () => {
    const { text } = await app.ask('/openapi.json')
    const { socket } = await openRawConnection(app.url)
    // More than the operating system's send and receive buffers hold.
    const requestCount = Math.ceil(20_000_000 / text.length)

    socket.pause()
    socket.write('GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(requestCount))
    await expect.poll(inFlight).toBeGreaterThan(0)
    for (let turn = 0, before = -1; turn < 3; turn = inFlight() === before ? turn + 1 : 0) {
      before = inFlight()
      await nextTurn()
    }
    socket.destroy()

    await expect.poll(inFlight).toBe(0)
    const refusals = linesOf('/openapi.json').map(({ status, aborted }) => [status, aborted])
    expect(refusals).toContainEqual([200, true])
  })
})

describe.each([
  ['/v1/pets', 'application/json'],
  ['/v1/pets/import', 'application/x-ndjson'],
  ['/graphql', 'application/json'],
])('a request to %s whose body breaks off', (path, type) => {
  it.each<[string, (socket: Socket) => void]>([
    ['a body that ends early', socket => socket.end()],
    ['a body cut off by a reset', socket => socket.resetAndDestroy()],
    ['a body that is invalid', socket => socket.write('what?\r\n')],
  ])('%s costs one request, and leaves one log line and no bug', async (_how, breakOff) => {
    // Send one request first, because the first request to GraphQL loads it.
    await store.post(path, '')
    const before = await remaining()
    await expect.poll(inFlight).toBe(0)
    lines.mockClear()
    const { socket } = await openRawConnection(app.url)
    const head = ['host: localhost', `authorization: Bearer ${store.secret}`, `content-type: ${type}`]

    socket.write(
      `POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\ntransfer-encoding: chunked\r\n\r\n8\r\n{"name":\r\n`,
    )
    await expect.poll(inFlight).toBe(1)
    breakOff(socket)

    await expect.poll(() => linesOf(path)).toMatchObject([{ method: 'POST' }])
    await expect.poll(remaining, { timeout: 5_000 }).toBe(before - 1)
    expect(errors).not.toHaveBeenCalled()
    socket.destroy()
  })
})

async function remaining(): Promise<number> {
  return Number((await store.get('/v1/rate-limit')).headers['x-ratelimit-remaining'])
}
