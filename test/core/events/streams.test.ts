import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { StoreEvent } from '../../../src/core/events/event.ts'
import { openEvents } from '../../../src/core/events/events.ts'
import { findNewestEvent, readEvents } from '../../../src/core/events/log.ts'
import { logStart } from '../../../src/core/events/position.ts'
import { type EventStream, openEventStream } from '../../../src/core/events/streams.ts'
import type { Caller } from '../../../src/core/keys/caller.ts'
import type { Change } from '../../../src/database/changes.ts'
import type { Statements } from '../../../src/database/statements.ts'
import { type App, startApp, type TestProject } from '../../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

/** Imports 150 pets, more than a read of a stream returns, and returns their ids. */
async function importManyPets(owner: TestProject): Promise<number[]> {
  const body = Array.from({ length: 150 }, (_, n) => `{"name":"Pet ${n}","categoryId":1}`).join('\n')
  const headers = { 'content-type': 'application/x-ndjson' }
  const made = await owner.ask('/v1/pets/import', { method: 'POST', body, headers })
  const { firstId } = made.json as { firstId: number }
  return Array.from({ length: 150 }, (_, n) => firstId + n)
}

test('if several event streams of one project have many events to read, only one of the streams reads at a time', async () => {
  const { database } = app.tools
  const owner = await app.makeProject()
  const ids = await importManyPets(owner)
  await owner.patch('/v1/pets', { ids, change: { categoryId: 2 } })
  await vi.waitUntil(async () => Number((await findNewestEvent(database, owner.project))?.number) > 150, {
    timeout: 30_000,
  })

  let [reading, most] = [0, 0]
  const counting: Statements = {
    async run(statement) {
      if (statement.name === 'read_events') most = Math.max(most, ++reading)
      const rows = await database.run(statement)
      // Long enough for other streams to read at the same time, if they are allowed to.
      await pause(20)
      if (statement.name === 'read_events') reading--
      return rows
    },
  }
  const caller = await callerOf(owner)
  const gone = new AbortController()
  const terms = { gone: gone.signal, mayGoOn: async () => true, paysForMore: async () => true }
  const query = { kind: null, types: null, subject: null, after: logStart }
  const streams = []
  for (let n = 0; n < 3; n++)
    streams.push(await openEventStream({ ...app.tools, database: counting }, caller, query, terms))

  const seen = await Promise.all(
    streams.map(async ({ pages }) => {
      const first = await pages.next()
      const second = await pages.next()
      return [first, second].map(({ value }) => value?.events.length)
    }),
  )
  gone.abort()

  expect(seen).toEqual(Array(3).fill([100, 51]))
  expect(most).toBe(1)
})

async function callerOf({ secret }: TestProject): Promise<Caller> {
  const caller = await app.tools.callers.find(secret)
  if (!caller) throw new Error('The key is unknown.')
  return caller
}

/** Opens streams of new events, which read by `database`, one for each query. */
async function openStreams(
  owner: TestProject,
  database: Statements,
  queries: readonly Partial<Parameters<typeof openEventStream>[2]>[],
  paysForMore = async () => true,
) {
  const caller = await callerOf(owner)
  const after = (await findNewestEvent(app.tools.database, owner.project)) ?? logStart
  const gone = new AbortController()
  onTestFinished(() => gone.abort())
  const terms = { gone: gone.signal, mayGoOn: async () => true, paysForMore }
  const opening = queries.map(query =>
    openEventStream(
      { ...app.tools, database },
      caller,
      { kind: null, types: null, subject: null, after, ...query },
      terms,
    ),
  )
  return (await Promise.all(opening)).map(({ pages }) => pages)
}

/** Counts the statements that read events. */
function countReads() {
  const counted = { reads: 0 }
  const database: Statements = {
    run(statement) {
      if (/^read_(events|own_audit)/.test(statement.name)) counted.reads++
      return app.tools.database.run(statement)
    },
  }
  return { counted, database }
}

/** Reads a stream until it has sent `count` events, and returns these events. */
async function take(pages: EventStream['pages'], count: number): Promise<StoreEvent[]> {
  const events: StoreEvent[] = []
  while (events.length < count) {
    const { value, done } = await pages.next()
    if (done) break
    events.push(...value.events)
  }
  return events
}

const rename = (owner: TestProject, name: string) =>
  app.tools.db.apiKey.update({ where: { id: owner.keyId }, data: { name } })

test('a new event is read once for all open streams of its project', async () => {
  const owner = await app.makeProject()
  const { counted, database } = countReads()
  const streams = await openStreams(owner, database, Array(50).fill({}))
  const waiting = streams.map(pages => pages.next())
  counted.reads = 0

  await owner.post('/v1/pets', { name: 'Rex', categoryId: 1 })
  const seen = await Promise.all(waiting)

  expect(seen.map(({ value }) => value?.events.map(({ type }) => type))).toEqual(
    Array(50).fill(['pet.created']),
  )
  // Besides the one read of the event, a few more reads find nothing new.
  expect(counted.reads).toBeLessThan(10)
})

test('a new event is read once for all open streams of its project, although each stream has a filter of its own', async () => {
  const owner = await app.makeProject()
  const { counted, database } = countReads()
  const filters = Array.from({ length: 49 }, (_, n) => ({ subject: `x:${n}` }))
  const streams = await openStreams(owner, database, [...filters, { types: ['pet.created'] as const }])
  const waiting = streams.map(pages => pages.next())
  counted.reads = 0

  await owner.post('/v1/pets', { name: 'Rex', categoryId: 1 })
  const seen = await waiting.at(-1)

  expect(seen?.value?.events.map(({ type }) => type)).toEqual(['pet.created'])
  expect(counted.reads).toBeLessThan(10)
})

test('a new audit entry is read once for all open streams of the audit log, although each stream has a filter and a beginning of its own', async () => {
  const owner = await app.makeProject()
  for (let n = 0; n < 50; n++) await owner.post('/v1/pets', { name: `Pet ${n}`, categoryId: 1 })
  const all = { types: null, subject: null, after: null, limit: 100 }
  const stored = async () => (await readEvents(app.tools.database, owner.project, all)).events
  await vi.waitUntil(async () => (await stored()).length === 50, { timeout: 30_000 })
  const { counted, database } = countReads()
  const queries = (await stored()).map((after, n) => ({
    ...({ kind: 'management', after } as const),
    ...(n < 49
      ? { actor: { type: 'person', named: `p${n}` } as const }
      : { subject: `api_key:${owner.keyId}` }),
  }))
  const streams = await openStreams(owner, database, queries)
  const waiting = streams.map(pages => pages.next())
  counted.reads = 0

  await rename(owner, 'Renamed')
  const seen = await waiting.at(-1)

  expect(seen?.value?.events.map(({ type }) => type)).toEqual(['api_key.changed'])
  expect(counted.reads).toBeLessThan(10)
})

test('a stream with a filter sends the same events as the list with this filter', async () => {
  const { database } = app.tools
  const owner = await app.makeProject()
  await owner.post('/v1/pets', { name: 'First', categoryId: 1 })
  await vi.waitUntil(() => findNewestEvent(database, owner.project))
  const after = (await findNewestEvent(database, owner.project)) ?? logStart
  const [past, future] = [new Date('2026-01-01'), new Date(Date.now() + 3_600_000)]
  const management = { kind: 'management' } as const
  const byDatabase = { type: 'database' } as const
  const queries: Parameters<typeof openStreams>[2] = [
    { types: ['pet.created', 'category.named'] },
    { types: ['api_key.changed'] },
    { kind: 'store' },
    { subject: 'category:7' },
    { types: ['pet.created'], subject: 'category:7' },
    { ...management, actor: { ...byDatabase, named: null } },
    { ...management, actor: { type: 'api_key', named: null } },
    { ...management, actor: { type: 'api_key', named: owner.keyId } },
    { ...management, actor: { type: 'api_key', named: 'Renamed' } },
    { ...management, actor: { type: 'api_key', named: 'undefined' } },
    { ...management, since: past, until: future },
    { ...management, since: future },
    { ...management, until: past },
  ]
  const streams = await openStreams(owner, database, queries)
  const sent: StoreEvent[][] = streams.map(() => [])
  const sending = streams.map(async (pages, n) => {
    for await (const { events } of pages) sent[n]?.push(...events)
  })

  await owner.post('/v1/pets', { name: 'Rex', categoryId: 7 })
  await owner.ask('/v1/categories/7', {
    ...{ method: 'PUT', body: '{"name":"Dogs"}', headers: { 'content-type': 'application/json' } },
  })
  await rename(owner, 'Renamed')
  await owner.post('/v1/webhooks', { url: 'https://shop.example/hook' })
  const listOf = (query: (typeof queries)[number]) =>
    readEvents(database, owner.project, { types: null, subject: null, after, limit: 100, ...query })
  await vi.waitUntil(async () => (await listOf({})).events.length === 4, { timeout: 30_000 })
  const lists = await Promise.all(queries.map(async query => (await listOf(query)).events))

  await expect.poll(() => sent).toEqual(lists)
  expect(lists.map(({ length }) => length)).toEqual([2, 1, 2, 1, 0, 1, 1, 1, 1, 0, 2, 0, 0])
  void sending
})

test('if many new events come at once, a stream with a filter still pays nothing for the events that its filter skips', async () => {
  const owner = await app.makeProject()
  const ids = await importManyPets(owner)
  await vi.waitUntil(() => findNewestEvent(app.tools.database, owner.project))
  const last = `pet:${ids.at(-1)}`
  let paid = 0
  const pay = async () => {
    paid++
    return true
  }
  const [pages] = await openStreams(owner, app.tools.database, [{ subject: last }], pay)

  const taking = pages && take(pages, 1)
  await owner.patch('/v1/pets', { ids, change: { categoryId: 2 } })

  expect((await taking)?.map(({ type, subject }) => [type, subject])).toEqual([['pet.updated', last]])
  expect(paid).toBe(0)
})

test('all keys of a project together may open twenty times the streams of one key', async () => {
  const owner = await app.makeProject({ plan: 'free' })
  const caller = await callerOf(owner)
  const open = async (key: number) => {
    const gone = new AbortController()
    onTestFinished(() => gone.abort())
    const terms = { gone: gone.signal, mayGoOn: async () => true, paysForMore: async () => true }
    const query = { types: null, subject: null, after: logStart }
    const ofKey = { ...caller, key: { ...caller.key, id: `key ${key}` } }
    await openEventStream(app.tools, ofKey, query, terms)
    return gone
  }
  const opened = await Promise.all(Array.from({ length: 100 }, (_, n) => open(n % 20)))

  const message = 'This project has 100 streams open already; close one first.'
  await expect(open(20)).rejects.toMatchObject({ code: 'rate_limited', message, retryAfterSeconds: 10 })
  opened[0]?.abort()
  // A refused stream has given its key's place back, so this key may still open five.
  await expect.poll(() => open(20).then(() => true)).toBe(true)
  for (const gone of opened.slice(1, 5)) gone.abort()
  for (let n = 0; n < 4; n++) await expect.poll(() => open(20).then(() => true)).toBe(true)
  await expect(open(20)).rejects.toMatchObject({ message: expect.stringContaining('This API key has 5') })
})

test('an event stream ends after an hour', async () => {
  const [pages] = await openStreams(await app.makeProject(), app.tools.database, [{}])
  const now = performance.now.bind(performance)
  let ahead = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead)
  onTestFinished(() => void vi.restoreAllMocks())

  const waiting = pages?.next()
  ahead = 59 * 60_000
  const before = await waiting
  ahead = 60 * 60_000

  expect(before?.done).toBe(false)
  expect(await pages?.next()).toMatchObject({ done: true })
})

test('streams share a read that has just begun, but not if new events came after its beginning', async () => {
  let notify: (change: Change | null) => void = () => {}
  const events = openEvents({
    follow(listener) {
      notify = listener
    },
  })
  const begun: string[] = []
  const share = (answer: string) =>
    events.share(1, 'after 7', async () => {
      begun.push(answer)
      await pause(1)
      return answer
    })

  const before = [share('old'), share('shared')]
  notify({ what: 'events', projectId: 1 } as Change)
  const after = [share('new'), share('shared')]

  expect(await Promise.all([...before, ...after])).toEqual(['old', 'old', 'new', 'new'])
  expect(await share('later')).toBe('later')
  expect(begun).toEqual(['old', 'new', 'later'])
})
