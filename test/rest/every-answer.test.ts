import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshAddress } from '../support/ask.ts'
import { movableClock } from '../support/clock.ts'
import { ids } from '../support/ids.ts'
import { findProgram } from '../support/programs.ts'
import { type RawAnswer, sendRaw } from '../support/send-raw.ts'
import { startPostgres } from '../support/services.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

/**
 * The operations of the REST API. The tests below check answers that any operation may give; openapi.yaml lists these
 * answers for each operation.
 */
const operations = [
  ['GET', '/v1/pets'],
  ['POST', '/v1/pets'],
  ['PATCH', '/v1/pets'],
  ['DELETE', '/v1/pets'],
  ['GET', '/v1/pets/export'],
  ['POST', '/v1/pets/import'],
  ['GET', '/v1/pets/1'],
  ['PATCH', '/v1/pets/1'],
  ['DELETE', '/v1/pets/1'],
  ['GET', '/v1/store/inventory'],
  ['GET', '/v1/rate-limit'],
  ['GET', '/v1/usage'],
  ['GET', '/v1/categories'],
  ['GET', '/v1/categories/1'],
  ['PUT', '/v1/categories/1'],
  ['DELETE', '/v1/categories/1'],
  ['GET', '/v1/store/orders'],
  ['POST', '/v1/store/orders'],
  ['GET', '/v1/store/orders/1'],
  ['POST', '/v1/store/orders/1/approve'],
  ['POST', '/v1/store/orders/1/deliver'],
  ['POST', '/v1/store/orders/1/cancel'],
  ['GET', '/v1/events'],
  ['GET', '/v1/events/export'],
  ['GET', '/v1/events/00000000-1'],
  ['GET', '/v1/webhooks'],
  ['POST', '/v1/webhooks'],
  ['GET', '/v1/webhooks/0199f1c2-7a3b-7c4d-9e5f-6a7b8c9d0e1f'],
  ['PATCH', '/v1/webhooks/0199f1c2-7a3b-7c4d-9e5f-6a7b8c9d0e1f'],
  ['DELETE', '/v1/webhooks/0199f1c2-7a3b-7c4d-9e5f-6a7b8c9d0e1f'],
  ['POST', '/v1/webhooks/0199f1c2-7a3b-7c4d-9e5f-6a7b8c9d0e1f/rotate-secret'],
  ['POST', '/v1/webhooks/0199f1c2-7a3b-7c4d-9e5f-6a7b8c9d0e1f/test'],
  ['GET', '/v1/webhooks/0199f1c2-7a3b-7c4d-9e5f-6a7b8c9d0e1f/deliveries'],
  ['POST', '/v1/webhooks/0199f1c2-7a3b-7c4d-9e5f-6a7b8c9d0e1f/redeliver'],
  ['POST', '/v1/webhooks/0199f1c2-7a3b-7c4d-9e5f-6a7b8c9d0e1f/rewind'],
] as const
const allBut = (status: number, ofLimits: number) =>
  operations.map(([, path]) => (path === '/v1/rate-limit' ? ofLimits : status))

const clock = movableClock()
let app: App
beforeAll(async () => {
  app = await startApp({ clock })
})
afterAll(() => app.stop())

const statuses = (answers: { status: number }[]) => answers.map(answer => answer.status)
const slowest = (answers: RawAnswer[]) => Math.max(...answers.map(answer => answer.afterMs))

/**
 * Returns the time that this machine takes to send five hundred requests and read their answers if no request has to
 * wait.
 */
async function sendingMs(): Promise<number> {
  const whole = 'GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'
  return slowest(await Promise.all(Array.from({ length: 500 }, () => sendRaw(app.url, whole))))
}

it('five hundred requests with endless headers get 408 within seven seconds, while other requests are served', async () => {
  const store = await app.makeProject()
  const slow = Array.from({ length: 500 }, (_, i) => {
    const [method, path] = operations[i % operations.length] ?? operations[0]
    return sendRaw(app.url, `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n`)
  })

  const meanwhile = await store.get('/v1/pets')
  const answers = await Promise.all(slow)

  expect(meanwhile.status).toBe(200)
  expect(new Set(statuses(answers))).toEqual(new Set([408]))
  // Subtract three times the time that five hundred /livez requests take: a refusal takes more CPU time than such a
  // request.
  expect(slowest(answers) - 3 * (await sendingMs())).toBeLessThan(7_000)
})

it('five hundred requests with endless bodies get 408 within twelve seconds', async () => {
  const store = await app.makeProject()
  const headers = `host: localhost\r\nauthorization: Bearer ${store.secret}\r\ncontent-type: application/json`
  const unfinished = `POST /v1/pets HTTP/1.1\r\n${headers}\r\ncontent-length: 9\r\n\r\n{`

  const answers = await Promise.all(Array.from({ length: 500 }, () => sendRaw(app.url, unfinished)))

  expect(new Set(statuses(answers))).toEqual(new Set([408]))
  expect(slowest(answers) - 3 * (await sendingMs())).toBeLessThan(12_000)
})

it('every operation refuses a header line without a colon, and headers that are too large', async () => {
  const large = `x: ${'y'.repeat(20_000)}`

  for (const [method, path] of operations) {
    expect((await sendRaw(app.url, `${method} ${path} HTTP/1.1\r\nhost: x\r\n${large}\r\n\r\n`)).status).toBe(
      431,
    )
    expect((await sendRaw(app.url, `${method} ${path} HTTP/1.1\r\nhost x\r\n\r\n`)).status).toBe(400)
  }
})

it('every operation refuses a request for a host that the service does not serve', async () => {
  for (const [method, path] of operations) {
    const refused = await sendRaw(app.url, `${method} ${path} HTTP/1.1\r\nhost: gone.example\r\n\r\n`)
    expect(JSON.parse(refused.body)).toMatchObject({ code: 'misdirected_host', status: 421 })
  }
})

it('every operation refuses an unknown transfer coding and an absolute URL of another host', async () => {
  for (const [method, path] of operations) {
    const packed = `${method} ${path} HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`
    expect(JSON.parse((await sendRaw(app.url, packed)).body)).toMatchObject({
      code: 'not_implemented',
      status: 501,
    })
    for (const address of ['http://other.example', 'ftp://localhost', 'http://user@localhost']) {
      const foreign = await sendRaw(
        app.url,
        `${method} ${address}${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`,
      )
      expect(JSON.parse(foreign.body)).toMatchObject({ code: 'misdirected_host', status: 421 })
    }
  }
})

it('every operation refuses a request line with HTTP/2.0', async () => {
  for (const [method, path] of operations) {
    const refused = await sendRaw(app.url, `${method} ${path} HTTP/2.0\r\nhost: localhost\r\n\r\n`)
    expect(JSON.parse(refused.body)).toMatchObject({ code: 'http_version_not_supported', status: 505 })
  }
})

it('every operation refuses a key without its scope and a key of a suspended project', async () => {
  const store = await app.makeProject({ scopes: ['project:read'] })
  const suspended = await app.makeProject()
  await app.tools.db.project.update({
    where: { id: suspended.project.id },
    data: { suspendedAt: new Date() },
  })

  const open = ['/v1/rate-limit', '/v1/usage', '/v1/events/export']
  const expected = operations.map(([, path]) => (open.includes(path) ? 200 : 403))
  expect(statuses(await askAll(store))).toEqual(expected)
  expect(statuses(await askAll(suspended))).toEqual(allBut(403, 403))
})

it('an exhausted limit refuses every operation, except that callers with a key can still read the rate limit', async () => {
  const store = await app.makeProject({ perMinute: 1 })
  await store.get('/v1/pets')

  expect(statuses(await askAll(store))).toEqual(allBut(429, 200))
  const from = freshAddress()
  const anonymous = await Promise.all(Array.from({ length: 61 }, () => app.ask('/v1/rate-limit', { from })))
  expect(anonymous.filter(answer => answer.status === 429)).toHaveLength(1)
  for (const [method, path] of operations) expect((await app.ask(path, { method, from })).status).toBe(429)
  const stranger = freshAddress()
  for (const [method, path] of operations)
    expect((await app.ask(path, { method, from: stranger })).status).toBe(401)
})

it('a creation whose Idempotency-Key is in use gets 409 and Retry-After: 1', async ({ skip }) => {
  if (!app.tools.config.databaseUrl)
    return skip('PostgreSQL is not installed: on the embedded database nothing runs side by side')
  const store = await app.makeProject()
  const inFlight = `SELECT pg_advisory_lock(hashtextextended('${store.project.id}:k', 0))`
  const rival = await app.tools.database.pool?.connect()
  await rival?.query(inFlight)

  const once = { 'idempotency-key': 'k' }
  const pet = { name: 'Max', categoryId: 1 }
  const refused = [
    await store.post('/v1/pets', pet, once),
    await store.post('/v1/pets/import', pet, { ...once, 'content-type': 'application/x-ndjson' }),
  ]

  rival?.release(true)
  for (const { json, headers } of refused) {
    expect(json).toMatchObject({ code: 'idempotency_in_flight', status: 409 })
    expect(headers['retry-after']).toBe('1')
  }
  expect(ids(await store.get('/v1/pets'))).toEqual([])
})

it('from 5 December 2030 getPet answers 410, and every other operation still works', async () => {
  const store = await app.makeProject()
  const { json } = await store.post('/v1/pets', { name: 'Max', categoryId: 1 })
  const path = `/v1/pets/${(json as { id: number }).id}`

  clock.moveTo('2030-12-04T23:59:00Z')
  expect((await store.get(path)).status).toBe(200)
  clock.moveTo('2030-12-05T00:00:00Z')
  const gone = await store.get(path)

  expect(gone.json).toMatchObject({ code: 'gone', status: 410 })
  expect(gone.headers.sunset).toBe('Thu, 05 Dec 2030 00:00:00 GMT')
  expect((await store.get('/v1/pets')).status).toBe(200)
  clock.moveTo(new Date().toISOString())
})

it('an unhandled error gets a 500 that shows no internals', async () => {
  const broken = await startApp()
  const store = await broken.makeProject()
  // A division by zero counts as a bug of the service (500). A missing table would count as an outage (503), because
  // tables are missing during a restore of the database.
  await broken.tools.db.$executeRaw`ALTER TABLE api_keys RENAME TO mislaid_keys`
  await broken.tools.db.$executeRaw`CREATE VIEW api_keys AS SELECT * FROM mislaid_keys WHERE 1 / 0 = 1`

  const answers = await askAll(store)

  expect(statuses(answers)).toEqual(allBut(500, 500))
  for (const { text } of answers) expect(text).not.toMatch(/api_keys|prisma|SELECT|\.ts/i)
  await broken.stop()
})

describe('the service without PostgreSQL', () => {
  it('every operation answers 503 within two seconds of an outage, and works again three seconds after the outage ends', async ({
    skip,
  }) => {
    if (!findProgram('postgres')) return skip('PostgreSQL is not installed')
    const postgres = await startPostgres()
    const away = await startApp({ env: { DATABASE_URL: postgres.url } })
    const store = await away.makeProject()
    expect((await store.post('/v1/pets', { name: 'Max', categoryId: 1 })).status).toBe(201)

    const livelyAt = performance.now()
    await Promise.all(operations.map(() => away.ask('/livez')))
    /**
     * Room for a slow machine: ten times the time that the machine needs to answer the same number of requests to
     * /livez.
     */
    const slackMs = 10 * (performance.now() - livelyAt)

    await postgres.kill9()
    const begun = performance.now()
    const answers = await askAll(store)

    // The rate limit needs no PostgreSQL while the key is cached.
    const ofStore = answers.filter((_, i) => operations[i]?.[1] !== '/v1/rate-limit')
    expect(new Set(statuses(ofStore))).toEqual(new Set([503]))
    expect(answers[0]?.headers['retry-after']).toBe('1')
    expect(performance.now() - begun).toBeLessThan(2_000 + slackMs)
    expect((await away.ask('/livez')).status).toBe(200)
    expect((await away.ask('/readyz')).status).toBe(503)
    // Many reads at once would use up the management budget, and be refused before the key is looked up again.
    const look = async () => (await store.get('/v1/rate-limit')).status
    await expect.poll(look, { interval: 50, timeout: 10_000 }).toBe(503)

    await postgres.restart()
    const backAt = performance.now()
    while ((await store.get('/v1/pets')).status !== 200 && performance.now() - backAt < 10_000);
    expect(performance.now() - backAt).toBeLessThan(3_000 + slackMs)
    expect(ids(await store.get('/v1/pets'))).toHaveLength(1)
    await away.stop()
    await postgres.stop()
  })
})

function askAll(store: TestProject) {
  return Promise.all(
    operations.map(([method, path]) => {
      const body = bodies[`${method} ${path}`] ?? bodyOfAny
      const headers = {
        'content-type': path === '/v1/pets/import' ? 'application/x-ndjson' : 'application/json',
      }
      return store.ask(path, { method, ...(takesBody(method, path) && { headers, body }) })
    }),
  )
}

/** A body with the fields of all operations, except the operations in `bodies`. */
const bodyOfAny =
  '{"name":"Max","categoryId":1,"petId":1,"url":"https://93.184.216.7/","enabled":true,"event":1,"after":0}'
const bodies: Record<string, string> = {
  'PATCH /v1/pets': '{"ids":[1],"change":{"name":"Max"}}',
  'DELETE /v1/pets': '{"ids":[1]}',
}
const takesBody = (method: string, path: string) =>
  ['POST', 'PUT', 'PATCH'].includes(method) || bodies[`${method} ${path}`] !== undefined
