import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { noteWork } from '../../src/database/owner.ts'
import { movableClock } from '../support/clock.ts'
import { addMany, linesOf, manyPets, sendImport, types } from '../support/import.ts'
import { openRawConnection } from '../support/raw-connection.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'
import { readUse } from '../support/use.ts'

const clock = movableClock()
/** After the clock was read this many times, it advances by a minute. */
let looksLeft = Number.POSITIVE_INFINITY
let app: App
beforeAll(async () => {
  const now = () => {
    if (looksLeft-- === 0) clock.advance(60_000)
    return clock.now()
  }
  app = await startApp({ clock: { ...clock, now } })
})
afterAll(() => app.stop())

const gone: [string, (store: TestProject) => Promise<unknown>, number, string][] = [
  [
    'its project is suspended',
    ({ project: { id } }) =>
      app.tools.db.project.update({ where: { id }, data: { suspendedAt: new Date() } }),
    403,
    'project_suspended',
  ],
  [
    'its key is revoked',
    ({ project: { id } }) =>
      app.tools.db.apiKey.updateMany({ where: { projectId: id }, data: { revokedAt: new Date() } }),
    401,
    'unauthorized',
  ],
]

it.each(gone)(
  'an import adds nothing and costs one request when %s while its body arrives',
  async (_, happen, status, code) => {
    const store = await app.makeProject({ perMinute: 10 })
    // Cache the key first. Otherwise the service might look up the key only after `happen`, and refuse the import
    // before reading its body.
    expect((await store.get('/v1/rate-limit')).status).toBe(200)

    const answer = await sendSlowly(store, linesOf(manyPets(300)), () => happen(store))

    expect(answer.status).toBe(status)
    expect(answer.headers.get('x-ratelimit-cost')).toBeNull()
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('9')
    expect(await answer.json()).toMatchObject({ code })
    expect(await app.tools.db.pet.count({ where: { projectId: store.project.id } })).toBe(0)
  },
)

it('an import is charged by the plan that its project has when the whole body of the import has arrived', async () => {
  const store = await app.makeProject({ plan: 'business' })
  const { id } = store.project

  const answer = await sendSlowly(store, linesOf(manyPets(6_100)), () =>
    app.tools.db.project.update({ where: { id }, data: { planName: 'free' } }),
  )

  expect(answer.status).toBe(201)
  const limits = ['cost', 'limit', 'remaining'].map(name => answer.headers.get(`x-ratelimit-${name}`))
  expect(limits).toEqual(['60', '60', '0'])
})

it.each([
  [
    'import',
    (store: TestProject) => sendImport(store, 'ndjson', linesOf(manyPets(101))),
    '201, 2 taken, 1 left',
  ],
  ['export', (store: TestProject) => store.get('/v1/pets/export'), '200, 1 taken, 2 left'],
] as const)(
  'an %s that arrives as an exhausted minute ends is either charged or refused, at every moment',
  async (_what, act, limits) => {
    const seen = new Set<string>()
    for (let looks = 0; looks < 12; looks++) {
      const store = await app.makeProject({ perMinute: 3 })
      await addMany(store, 201)
      expect((await store.get('/v1/rate-limit')).headers['x-ratelimit-remaining']).toBe('0')

      looksLeft = looks
      const { status, headers } = await act(store)
      looksLeft = Number.POSITIVE_INFINITY

      const [cost, left] = [headers['x-ratelimit-cost'], headers['x-ratelimit-remaining']]
      seen.add(status === 429 ? 'refused' : `${status}, ${cost} taken, ${left} left`)
    }

    expect([...seen].sort()).toEqual([limits, 'refused'])
  },
)

it.each([
  ['uncompressed', (body: Buffer) => body, {}],
  ['compressed', gzipSync, { 'content-encoding': 'gzip' }],
] as const)(
  'an import pauses while the service works for other projects, but still reads every line and reports a faulty last line: %s',
  async (_how, pack, headers) => {
    const [store, other] = [await app.makeProject(), await app.makeProject()]
    const work = setInterval(() => noteWork(other.project.id), 1)
    onTestFinished(() => clearInterval(work))
    const body = linesOf(manyPets(9_999, 'x'.repeat(240)))

    const whole = await sendImport(store, 'ndjson', pack(Buffer.from(body)), headers)
    const faulty = await sendImport(store, 'ndjson', pack(Buffer.from(`${body}[]\n`)), headers)

    expect([whole.status, whole.json]).toMatchObject([201, { imported: 9_999 }])
    expect([faulty.status, faulty.json]).toMatchObject([400, { details: [{ line: 10_000, field: 'line' }] }])
  },
)

/**
 * Sends an import slowly. Before the last line is sent, `happen` makes a change, and the process reads it from the log
 * of changes.
 */
async function sendSlowly(
  { secret }: TestProject,
  body: string,
  happen: () => Promise<unknown>,
): Promise<Response> {
  const inFlight = () => app.tools.metrics.requests.inFlight
  await expect.poll(inFlight).toBe(0)
  async function* slowly() {
    yield Buffer.from(body)
    await expect.poll(inFlight).toBe(1)
    await happen()
    await app.tools.changes.read()
    yield Buffer.from('{"name":"Max","categoryId":1}\n')
  }
  return fetch(`${app.url}/v1/pets/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/x-ndjson' },
    body: ReadableStream.from(slowly()),
    duplex: 'half',
  } as RequestInit)
}

it('concurrent imports of one project cannot fill the memory for imports of other projects, what was read of a refused import is charged, and a finished import frees memory again', async () => {
  const [store, other] = [await app.makeProject(), await app.makeProject()]
  const large = Buffer.from(`${' '.repeat(59_999)}\n`.repeat(150))
  const head = `POST /v1/pets/import HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${store.secret}\r\ncontent-type: ${types.ndjson}\r\n`
  const four = await Promise.all([1, 2, 3, 4].map(() => openRawConnection(app.url)))

  // Send each of the four imports except its last byte.
  for (const { socket } of four) {
    socket.write(`${head}content-length: ${large.length + 1}\r\n\r\n`)
    socket.write(large)
  }
  const [refused] = await Promise.race(four.map(({ answers }) => answers(1)))
  const ofOther = await sendImport(other, 'ndjson', large)
  for (const { socket } of four) socket.write('\n')
  const all = await Promise.all(four.map(({ answers }) => answers(1)))
  const costOf = (status: number) =>
    all
      .filter(([answer]) => answer?.status === status)
      .reduce((sum, [answer]) => sum + Number(answer?.headers.get('x-ratelimit-cost')), 0)
  const use = { served: costOf(201), faulty: costOf(429), failed: 0, refusals: 0 }
  await expect.poll(() => readUse(app, store)).toEqual(use)
  const limits = await store.get('/v1/rate-limit')
  const after = await sendImport(store, 'ndjson', large)

  expect(refused?.headers.get('retry-after')).toBe('1')
  expect(JSON.parse(refused?.body ?? '')).toMatchObject({
    code: 'rate_limited',
    message: 'Too many imports of this project are being read; try again in a moment.',
  })
  expect(ofOther.status).toBe(201)
  expect(all.map(([answer]) => answer?.status).sort()).toEqual([201, 201, 201, 429])
  expect(costOf(429)).toBeGreaterThan(1)
  expect(limits.headers['x-ratelimit-remaining']).toBe(String(1_000 - costOf(201) - costOf(429)))
  expect(after.status).toBe(201)
})
