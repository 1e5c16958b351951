import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordExpiringCertificates } from '../../src/core/certificates/expiring.ts'
import { readEvents } from '../../src/core/events/log.ts'
import { recordExpiringKeys, recordUsage } from '../../src/core/events/notices.ts'
import { resetRateLimit } from '../../src/core/projects/bans.ts'
import { setPlan } from '../../src/core/projects/operator.ts'
import { numberAll } from '../support/events.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

type Entry = { type: string; subject: string; data: Record<string, unknown>; actor?: object; door?: string }

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const dayMs = 24 * 60 * 60 * 1000
const { signal } = new AbortController()

/** Reads a project's notices of its limit without a request, because the project's keys have no request left. */
async function limitsOf({ project }: TestProject): Promise<object[]> {
  await numberAll(app.tools)
  const requested = {
    after: null,
    kind: 'management',
    types: ['limit.reached'],
    subject: null,
    limit: 100,
  } as const
  const { events } = await readEvents(app.tools.database, project, requested)
  return events.map(({ subject, data }) => ({ subject, data: JSON.parse(data) }))
}

async function entriesOf(store: TestProject, type: string): Promise<Entry[]> {
  await numberAll(app.tools)
  const owner = await store.issueKey(['project:read'])
  const { status, json } = await owner.get(`/v1/events?kind=management&type=${type}`)
  if (status !== 200) throw new Error(JSON.stringify(json))
  return json as Entry[]
}

const expectEntries = (store: TestProject, type: string, count: number) =>
  expect.poll(() => entriesOf(store, type), { timeout: 20_000 }).toHaveLength(count)

const graphql = (store: TestProject, query: string) => store.post('/graphql', { query })

it('a project that has used 80 and 100 percent of its daily limit gets one event for each', async () => {
  const store = await app.makeProject({ perDay: 10 })
  for (let i = 0; i < 7; i++) await store.get('/v1/pets?limit=1')
  await app.tools.limitNotices.write()
  expect(await limitsOf(store)).toEqual([])

  for (let i = 0; i < 3; i++) await graphql(store, '{ pets(first: 1) { nodes { id } } }')
  expect((await store.get('/v1/pets')).status).toBe(429)

  await expect.poll(() => limitsOf(store), { timeout: 20_000 }).toHaveLength(2)
  await app.tools.limitNotices.write()
  const entries = await limitsOf(store)
  const subject = `project:${store.project.slug}`
  expect(entries).toMatchObject([
    { subject, data: { percent: 80, requests: 8, requestsPerDay: 10 } },
    { subject, data: { percent: 100, requests: 10, requestsPerDay: 10 } },
  ])
})

it('a charge that no longer fits into the daily limit is reported as 100 percent of the limit', async () => {
  const store = await app.makeProject({ perDay: 10 })
  for (let i = 0; i < 9; i++) await store.get('/v1/pets?limit=1')
  const lines = Array.from({ length: 200 }, () => '{"name":"Rex","categoryId":1}').join('\n')
  const whole = await store.post('/v1/pets/import', lines, { 'content-type': 'application/x-ndjson' })
  expect(whole.status).toBe(429)

  await expect.poll(() => limitsOf(store), { timeout: 20_000 }).toHaveLength(2)
  expect(await limitsOf(store)).toMatchObject([
    { data: { percent: 80, requests: 8 } },
    { data: { percent: 100, requests: 9 } },
  ])
})

it('a project gets the events of its daily limit again after a change of plan or a reset of its counts', async () => {
  const store = await app.makeProject({ perDay: 10 })
  const { db, limiter, limitNotices } = app.tools
  const status = async () => (await store.get('/v1/pets?limit=1')).status
  const useUp = async () => {
    while ((await status()) === 200);
    await limitNotices.write()
  }
  await useUp()

  await setPlan(db, store.project.slug, 'enterprise', { perMinute: 20, perDay: 20 })
  await expect.poll(status, { interval: 250, timeout: 5_000 }).toBe(200)
  await useUp()
  await resetRateLimit(db, limiter, store.project)
  await useUp()

  const reached = (percent: number, requestsPerDay: number) => ({ data: { percent, requestsPerDay } })
  await expect
    .poll(() => limitsOf(store), { timeout: 20_000 })
    .toMatchObject([
      ...[reached(80, 10), reached(100, 10)],
      ...[reached(80, 20), reached(100, 20)],
      ...[reached(80, 20), reached(100, 20)],
    ])
})

it('each API writes an audit entry for a request that a scope refuses, with its key and operation', async () => {
  const store = await app.makeProject()
  const reader = await store.issueKey(['pets:read', 'orders:read'])
  expect((await reader.post('/v1/pets', { name: 'Rex', categoryId: 1 })).status).toBe(403)
  const answered = await graphql(reader, 'mutation { petDelete(input: { id: 1 }) { deletedId } }')
  expect(answered.text).toContain('insufficient_scope')
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' }
  const params = { name: 'add_pet', arguments: { name: 'Rex', categoryId: '1' } }
  const accept = { accept: 'application/json, text/event-stream' }
  expect((await reader.post('/mcp', { ...call, params }, accept)).text).toContain('insufficient_scope')

  await expectEntries(store, 'api_key.refused', 3)
  const entries = await entriesOf(store, 'api_key.refused')
  const known = { subject: `api_key:${reader.keyId}`, actor: { type: 'api_key', id: reader.keyId } }
  const message = 'This API key lacks the scope pets:write.'
  const operations = ['POST /v1/pets', 'mutation petDelete', 'tool add_pet']
  expect(entries.sort((a, b) => doors.indexOf(a.door ?? '') - doors.indexOf(b.door ?? ''))).toMatchObject(
    operations.map((operation, index) => ({
      ...known,
      door: doors[index],
      data: { id: reader.keyId, message, operation },
    })),
  )
})
const doors = ['rest', 'graphql', 'mcp']

it('a key gets at most ten audit entries a minute for refused requests', async () => {
  const store = await app.makeProject()
  const reader = await store.issueKey(['pets:read'])
  const answers = await Promise.all(Array.from({ length: 30 }, () => reader.delete('/v1/pets/1')))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403))

  await expectEntries(store, 'api_key.refused', 10)
})

it('a key that ends within two weeks gets one event, whichever process finds it', async () => {
  const store = await app.makeProject()
  const { db } = app.tools
  const ends = async (key: TestProject, days: number) => {
    const expiresAt = new Date(Date.now() + days * dayMs)
    await db.apiKey.update({ where: { id: key.keyId }, data: { expiresAt } })
  }
  const [soon, late] = [await store.issueKey(), await store.issueKey()]
  await ends(soon, 13)
  await ends(late, 15)

  await Promise.all([recordExpiringKeys(db, new Date(), signal), recordExpiringKeys(db, new Date(), signal)])
  await recordExpiringKeys(db, new Date(), signal)

  expect(await entriesOf(store, 'api_key.expiring')).toMatchObject([
    { subject: `api_key:${soon.keyId}`, data: { id: soon.keyId, name: 'test' } },
  ])
})

/** Gives the project a domain with a certificate. */
async function giveCertificate({ project }: TestProject, times: { notAfter: Date; renewAt?: Date }) {
  const { db } = app.tools
  const name = `${project.slug}.test`
  await db.domain.create({
    data: {
      projectId: project.id,
      name,
      ownedName: name,
      state: 'live',
      ...{ createdAt: new Date(), looksSince: new Date() },
    },
  })
  await db.certificate.create({
    data: { name, ...times, chain: 'chain', issuedAt: new Date(), wantedSince: new Date() },
  })
  return name
}

it('a certificate in use that ends within a week gets one event', async () => {
  const store = await app.makeProject()
  const { db } = app.tools
  const notAfter = new Date(Date.now() + 6 * dayMs)
  const name = await giveCertificate(store, { notAfter })

  const record = () => recordExpiringCertificates(db, new Date(), signal)
  await Promise.all([record(), record()])

  expect(await entriesOf(store, 'certificate.expiring')).toMatchObject([
    { subject: `domain:${name}`, data: { name, notAfter: notAfter.toISOString() } },
  ])
})

it.each([
  ['gets no event before its renewal', 2, 0],
  ['gets no event while half of the time for its renewal is left', 4, 0],
  ['gets one event once three quarters of its life are over', 4.6, 1],
])('a certificate that lives six days %s', async (_, age, events) => {
  const store = await app.makeProject()
  const now = new Date()
  const after = (days: number) => new Date(now.getTime() + (days - age) * dayMs)
  await giveCertificate(store, { renewAt: after(3), notAfter: after(6) })

  await recordExpiringCertificates(app.tools.db, now, signal)

  expect(await entriesOf(store, 'certificate.expiring')).toHaveLength(events)
})

it('after the grace period for domains, an expiring certificate gets no event, because the service no longer renews the certificate', async () => {
  const [over, running] = [await app.makeProject(), await app.makeProject()]
  const now = new Date()
  const after = (days: number) => new Date(now.getTime() + days * dayMs)
  const endGrace = ({ project: { id } }: TestProject, domainsGraceEndsAt: Date) =>
    app.tools.db.project.update({ where: { id }, data: { planName: 'free', domainsGraceEndsAt } })
  await endGrace(over, after(-1))
  await endGrace(running, after(1))
  for (const store of [over, running])
    await giveCertificate(store, { renewAt: after(-25), notAfter: after(5) })

  await recordExpiringCertificates(app.tools.db, now, signal)

  expect(await entriesOf(over, 'certificate.expiring')).toEqual([])
  expect(await entriesOf(running, 'certificate.expiring')).toHaveLength(1)
})

it('once a day is final, its usage is one event, with the same id as in the usage report', async () => {
  const store = await app.makeProject()
  const { db } = app.tools
  const projectId = store.project.id
  const now = new Date('2026-03-10T00:30:00Z')
  const later = new Date('2026-03-10T01:00:00Z')
  const row = (day: string, door: string, requests: number) =>
    db.usage.create({
      data: { projectId, day: new Date(day), door, requests, refusals: 1, faulty: 2, failed: 0 },
    })
  await row('2026-03-08', 'rest', 10)
  await row('2026-03-09', 'rest', 20)
  await row('2026-03-09', 'graphql', 5)

  await recordUsage(db, now, signal)
  expect(await entriesOf(store, 'usage.recorded')).toHaveLength(1)
  await Promise.all([recordUsage(db, later, signal), recordUsage(db, later, signal)])
  await recordUsage(db, later, signal)

  const { slug } = store.project
  const [eighth, ninth] = ['2026-03-08', '2026-03-09']
  expect((await entriesOf(store, 'usage.recorded')).map(({ data }) => data)).toEqual([
    {
      ...{ id: `usage:${slug}:${eighth}`, day: eighth },
      requests: 10,
      refusals: 1,
      faulty: 2,
      failed: 0,
      served: 8,
    },
    {
      ...{ id: `usage:${slug}:${ninth}`, day: ninth },
      requests: 25,
      refusals: 2,
      faulty: 4,
      failed: 0,
      served: 21,
    },
  ])
})
