import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openEvents } from '../../../src/core/events/events.ts'
import { findNewestEvent } from '../../../src/core/events/log.ts'
import { logStart } from '../../../src/core/events/position.ts'
import { openEventStream } from '../../../src/core/events/streams.ts'
import type { Change } from '../../../src/database/changes.ts'
import type { Statements } from '../../../src/database/statements.ts'
import { type App, startApp, type TestProject } from '../../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

test('if several event streams of one project have many events to read, only one of the streams reads at a time', async () => {
  const { database } = app.tools
  const owner = await app.makeProject()
  const body = Array.from({ length: 150 }, (_, n) => `{"name":"Pet ${n}","categoryId":1}`).join('\n')
  const headers = { 'content-type': 'application/x-ndjson' }
  const made = await owner.ask('/v1/pets/import', { method: 'POST', body, headers })
  const { firstId } = made.json as { firstId: number }
  const ids = Array.from({ length: 150 }, (_, n) => firstId + n)
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
  const caller = await app.tools.callers.find(owner.secret)
  if (!caller) throw new Error('The key is unknown.')
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

/** Opens streams of new events, which read by `database`. */
async function openStreams(owner: TestProject, database: Statements, count: number) {
  const caller = await app.tools.callers.find(owner.secret)
  const after = (await findNewestEvent(app.tools.database, owner.project)) ?? logStart
  if (!caller) throw new Error('The key is unknown.')
  const gone = new AbortController()
  onTestFinished(() => gone.abort())
  const terms = { gone: gone.signal, mayGoOn: async () => true, paysForMore: async () => true }
  const query = { kind: null, types: null, subject: null, after }
  const opening = Array.from({ length: count }, () =>
    openEventStream({ ...app.tools, database }, caller, query, terms),
  )
  return (await Promise.all(opening)).map(({ pages }) => pages)
}

test('a new event is read once for all open streams of its project', async () => {
  const owner = await app.makeProject()
  let reads = 0
  const counting: Statements = {
    run(statement) {
      if (statement.name === 'read_events') reads++
      return app.tools.database.run(statement)
    },
  }
  const streams = await openStreams(owner, counting, 50)
  const waiting = streams.map(pages => pages.next())
  reads = 0

  await owner.post('/v1/pets', { name: 'Rex', categoryId: 1 })
  const seen = await Promise.all(waiting)

  expect(seen.map(({ value }) => value?.events.map(({ type }) => type))).toEqual(
    Array(50).fill(['pet.created']),
  )
  // Besides the one read of the event, a few more reads find nothing new.
  expect(reads).toBeLessThan(10)
})

test('an event stream ends after an hour', async () => {
  const [pages] = await openStreams(await app.makeProject(), app.tools.database, 1)
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
