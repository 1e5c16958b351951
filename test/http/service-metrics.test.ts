import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { countDueJobs } from '../../src/core/certificates/backlog.ts'
import { openDomainMetrics } from '../../src/http/domain-metrics.ts'
import { recordAnswer } from '../../src/http/observe.ts'
import { openMetrics } from '../../src/tools/metrics.ts'
import { ask } from '../support/ask.ts'
import { freshRedis } from '../support/databases.ts'
import { findProgram, freePort, recordUse } from '../support/programs.ts'
import { type App, startApp } from '../support/start-app.ts'
import { countStatements } from '../support/statements.ts'

let app: App
let opsPort: number
beforeAll(async () => {
  opsPort = await freePort()
  const redisUrl = await freshRedis()
  app = await startApp({ env: { OPS_PORT: String(opsPort), ...(redisUrl && { REDIS_URL: redisUrl }) } })
})
afterAll(() => app.stop())

const readText = async () => (await ask(`http://127.0.0.1:${opsPort}/metrics`)).text

async function read(name: string): Promise<number | undefined> {
  const line = (await readText()).split('\n').find(found => found.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length))
}

it.skipIf(!findProgram('promtool'))('promtool accepts the metrics of a process', async () => {
  const project = await app.makeProject()
  await project.get('/v1/pets')
  recordUse('promtool')

  const { stdout, stderr, status } = spawnSync('promtool', ['check', 'metrics'], {
    input: await readText(),
    encoding: 'utf8',
  })

  expect({ stdout, stderr, status }).toEqual({ stdout: '', stderr: '', status: 0 })
})

it('the metrics are at one address, in Prometheus’ media type, and each appears once', async () => {
  const found = await ask(`http://127.0.0.1:${opsPort}/metrics`)
  const elsewhere = await ask(`http://127.0.0.1:${opsPort}/`)

  expect([found.status, found.headers['content-type']]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  expect([elsewhere.status, elsewhere.text]).toEqual([404, ''])
  expect(found.text).toMatch(/^process_cpu_seconds_total /m)
  expect(found.text).toMatch(/^nodejs_active_handles{/m)
  expect(found.text).not.toMatch(/nodejs_active_(handles|requests|resources)_total/)
  const names = [...found.text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name)
  expect(new Set(names).size).toBe(names.length)
})

it.skipIf(!findProgram('postgres'))(
  'the domains are counted every half minute, not at every read',
  async () => {
    let now = Date.now()
    const clock = { now: () => now, aheadMs: () => 0 }
    const domains = openDomainMetrics({ ...app.tools, clock })
    const { db } = app.tools
    const { project } = await app.makeProject()
    const [name, times] = ['www.ended.test', { createdAt: new Date(now), verifiedAt: new Date(now) }]
    const domain = { projectId: project.id, name, ownedName: name, state: 'live' as const, ...times }
    await db.domain.create({ data: { ...domain, looksSince: times.createdAt } })
    const order = { orderUrl: 'https://ca.test/1', orderedAt: new Date(now + 120_000) }
    await db.certificate.create({
      data: { name, wantedSince: times.createdAt, notAfter: new Date(now - 90_000), ...order },
    })
    const text = await domains.text()
    now += 30_000
    // The query that counts the domains names its list of domains "all". No statement of the background jobs uses the
    // name "all", so only the query is counted here.
    const read = () => countStatements(['all'], () => Promise.all([domains.text(), domains.text()]))

    const counts = [await read(), await read()]
    now += 29_999
    counts.push(await read())
    now += 1
    counts.push(await read(), await read())

    await db.domain.deleteMany()
    await db.certificate.deleteMany()
    expect(counts).toEqual([1, 0, 0, 1, 0])
    expect(text).toMatch(/^animal_store_certificate_expires_seconds -90$/m)
    // The order has a time in the future, because another process' clock is ahead.
    expect(text).toMatch(/^animal_store_certificate_order_age_seconds 0$/m)
    expect(text).toMatch(/^animal_store_domains{state="live"} 1$/m)
  },
)

it('the metrics name the version of the service and the state of the migrations', async () => {
  expect(await readText()).toMatch(/^animal_store_build_info{version="\d[^"]*",node_version="v26[^"]*"} 1$/m)
  expect(await read('animal_store_migrations{state="pending"}')).toBe(0)
  expect(await read('animal_store_migrations{state="newer"}')).toBe(0)
  expect(await read('animal_store_migrations{state="applied"}')).toBeGreaterThan(5)
})

it('a request counts as in flight only while it is in progress', async () => {
  const project = await app.makeProject()
  const before = await read('animal_store_requests_in_flight')
  const pending = fetch(`${app.url}/v1/pets`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${project.secret}`,
      'content-type': 'application/json',
      'content-length': '40',
    },
    body: new ReadableStream({
      async start(controller) {
        controller.enqueue(Buffer.from('{"name":"Rex",'))
        await expect.poll(() => read('animal_store_requests_in_flight')).toBe(1)
        controller.enqueue(Buffer.from('"categoryId":1           }'))
        controller.close()
      },
    }),
    duplex: 'half',
  } as RequestInit)

  expect(before).toBe(0)
  expect((await pending).status).toBe(201)
  await expect.poll(() => read('animal_store_requests_in_flight')).toBe(0)
})

it('an answer whose calls waited at the same time counts as taking no time, and not as less', () => {
  const count = vi.spyOn(app.tools.metrics, 'countAnswer').mockImplementation(() => {})
  onTestFinished(() => count.mockRestore())

  recordAnswer(app.tools, {
    ...{ requestId: 'batch', method: 'POST', route: '/mcp', status: 200 },
    ...{ startedAt: performance.now() - 1_000, delayedMs: 2_000 },
  })

  expect(count.mock.calls.map(([, , , seconds]) => seconds)).toEqual([0])
})

it('the metrics count separately the pages from the cache and the pages that were read from the database', async () => {
  const project = await app.makeProject()
  const [hits, misses] = [
    await read('animal_store_page_cache_requests_total{outcome="hit"}'),
    await read('animal_store_page_cache_requests_total{outcome="miss"}'),
  ]

  for (let n = 0; n < 4; n++) await project.get('/v1/pets')
  const moreMisses =
    Number(await read('animal_store_page_cache_requests_total{outcome="miss"}')) - Number(misses)
  const moreHits = Number(await read('animal_store_page_cache_requests_total{outcome="hit"}')) - Number(hits)
  expect(moreHits + moreMisses).toBe(4)
  expect(moreMisses).toBeGreaterThanOrEqual(1)
  // Without Redis no page is cached.
  if (app.tools.redis) {
    const pending = () =>
      project.get('/v1/pets').then(() => read('animal_store_page_cache_requests_total{outcome="hit"}'))
    await expect.poll(pending).toBeGreaterThan(Number(hits))
  }
})

it.skipIf(!findProgram('redis-server'))(
  'the metrics also count cache hits for single pets, and a page whose URL is too long is not cached',
  async () => {
    const project = await app.makeProject()
    const { id } = (await project.post('/v1/pets', { name: 'Max', categoryId: 1 })).json as { id: number }
    const counted = async () => [
      Number(await read('animal_store_page_cache_requests_total{outcome="hit"}')),
      Number(await read('animal_store_page_cache_requests_total{outcome="miss"}')),
    ]
    /** Makes a URL with this length after /v1. */
    const address = (length: number) => `/v1${'/pets?x='.padEnd(length, 'x')}`

    for (const path of [`/v1/pets/${id}`, address(200)]) {
      const [hits = 0] = await counted()
      const ask = () => project.get(path).then(counted)
      await expect.poll(async () => (await ask())[0]).toBeGreaterThan(hits)
    }
    const [hits = 0, misses = 0] = await counted()
    for (let n = 0; n < 4; n++) expect((await project.get(address(201))).status).toBe(200)
    expect(await counted()).toEqual([hits, misses + 4])
  },
)

it.skipIf(!findProgram('postgres'))('the metrics count used connections and waiting statements', async () => {
  const { pool } = app.tools.database
  const held = await Promise.all(Array.from({ length: 9 }, () => pool?.connect()))
  const waiting = Array.from({ length: 3 }, () => pool?.query('select 1').catch(() => {}))

  const text = await readText()
  for (const client of held) client?.release()
  await Promise.all(waiting)

  expect(text).toMatch(/^animal_store_database_connections{state="used"} 9$/m)
  expect(text).toMatch(/^animal_store_database_waiting [1-9]/m)
  await expect.poll(() => read('animal_store_database_connections{state="used"}')).toBe(0)
  expect(await read('animal_store_database_waiting')).toBe(0)
})

it.skipIf(!findProgram('redis-server'))(
  'the metrics have the response time of Redis and its state',
  async () => {
    const before = Number(await read('animal_store_redis_seconds_count'))
    const project = await app.makeProject()

    await project.get('/v1/pets')

    expect(Number(await read('animal_store_redis_seconds_count'))).toBeGreaterThan(before)
    expect(await read('animal_store_redis_circuit_open')).toBe(0)
  },
)

it('the metrics show how much usage waits to be written and how many jobs are due', async () => {
  const { db, clock } = app.tools
  const project = await app.makeProject()
  await project.get('/v1/pets')

  await expect.poll(() => read('animal_store_usage_backlog'), { timeout: 10_000 }).toBe(0)
  const name = 'www.due.test'
  onTestFinished(async () => void (await db.certificate.deleteMany({ where: { name } })))
  await db.certificate.create({
    data: {
      name,
      wantedSince: new Date(),
      nextStepAt: new Date(clock.now() - 1000),
      leasedUntil: new Date(clock.now() + 60_000),
    },
  })
  expect(await read('animal_store_jobs_due{job="certificate"}')).toBe(0)
  expect(await read('animal_store_jobs_due{job="domain_look"}')).toBe(0)
  const later = new Date(clock.now() + 120_000)
  expect(await countDueJobs(db, later)).toEqual({ certificate: 1, domain_look: 0 })
})

it('the metrics count the webhook endpoints by state', async () => {
  const { db, clock } = app.tools
  const { project } = await app.makeProject()
  // A high number as the last delivered event, so that no job sends events to the endpoints.
  const usual = {
    projectId: project.id,
    url: 'https://hook.test/',
    sealedSecret: new Uint8Array(1),
    delivered: 10n ** 15n,
  }
  const failingSince = new Date(clock.now() - 60_000)
  const usedAt = (hoursAgo: number) => new Date(clock.now() - hoursAgo * 3_600_000)
  const states = [
    { leasedUntil: usedAt(1) },
    { leasedUntil: usedAt(25) },
    { leasedUntil: null },
    { leasedUntil: usedAt(1), failingSince },
    { leasedUntil: usedAt(1), failingSince, disabledAt: new Date(clock.now()), disabledWhy: 'failing' },
    { leasedUntil: usedAt(1), failingSince, enabled: false },
  ]
  onTestFinished(async () => void (await db.webhookEndpoint.deleteMany({ where: { projectId: project.id } })))
  await db.webhookEndpoint.createMany({ data: states.map(state => ({ ...usual, ...state })) })

  const text = await readText()

  expect(text.match(/^animal_store_webhook_endpoints{.*$/gm)).toEqual([
    'animal_store_webhook_endpoints{state="healthy"} 1',
    'animal_store_webhook_endpoints{state="idle"} 2',
    'animal_store_webhook_endpoints{state="failing"} 1',
    'animal_store_webhook_endpoints{state="disabled"} 1',
  ])
})

it('the metrics count refusals by project, for the hundred projects that were refused last', () => {
  const metrics = openMetrics()
  for (let n = 1; n <= 100; n++) metrics.countProjectRefusal(`p${n}`)
  metrics.countProjectRefusal('p1')
  metrics.countProjectRefusal('late')

  const shown = [...metrics.text().matchAll(/^animal_store_project_refusals_total{project="(.+)"} (\d+)$/gm)]

  expect(shown).toHaveLength(100)
  expect(shown.map(([, project, count]) => [project, count])).toEqual(
    expect.arrayContaining([
      ['p1', '2'],
      ['late', '1'],
    ]),
  )
  expect(shown.map(([, project]) => project)).not.toContain('p2')
})
