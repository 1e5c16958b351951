import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Answer } from '../support/ask.ts'
import { operations } from '../support/contract-document.ts'
import { numberAll } from '../support/events.ts'
import { readStream } from '../support/read-stream.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'
import { readUse } from '../support/use.ts'

let app: App
let store: TestProject
beforeAll(async () => {
  app = await startApp({ env: { DRAIN_SECONDS: '1' } })
})
afterAll(() => app.stop())

const idOf = ({ json }: Answer) => (json as { id: number }).id
const add = (name: string, to = store) => to.post('/v1/pets', { name, categoryId: 7 })

async function open(query = '', headers: Record<string, string> = {}, of = store) {
  const stream = await readStream(`${app.url}/v1/events${query}`, {
    authorization: `Bearer ${of.secret}`,
    ...headers,
  })
  onTestFinished(() => stream.close())
  return stream
}
const remaining = async () => Number((await store.get('/v1/rate-limit')).headers['x-ratelimit-remaining'])
const names = ({ events }: Awaited<ReturnType<typeof open>>) =>
  events.map(({ data }) => (data as { data: { name?: string } }).data.name)

test('an event stream sends each event after the start position once and in order, with the content that GET of the event returns', async () => {
  store = await app.makeProject()
  await add('Before')
  const stored = async () => (await store.get('/v1/events')).json as { id: string }[]
  await expect.poll(async () => (await stored()).length).toBe(1)
  const [oldest] = await stored()
  const stream = await open(`?after=${oldest?.id}`)
  const pet = idOf(await add('Luna'))
  await store.patch(`/v1/pets/${pet}`, { status: 'sold' })
  await store.delete(`/v1/pets/${pet}`)

  await expect.poll(() => stream.events.length).toBe(3)

  expect(stream.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
  })
  expect(stream.events.map(({ event }) => event)).toEqual(['pet.created', 'pet.updated', 'pet.deleted'])
  for (const { id, data } of stream.events) expect((await store.get(`/v1/events/${id}`)).json).toEqual(data)
})

test('an event stream without a position begins now, and a stream with Last-Event-ID continues after that event', async () => {
  store = await app.makeProject()
  await add('Old')
  await expect.poll(async () => ((await store.get('/v1/events')).json as object[]).length).toBe(1)
  const first = await open()
  await add('One')
  await expect.poll(() => names(first)).toEqual(['One'])
  first.close()
  await add('Two')
  await add('Three')

  const second = await open('', { 'last-event-id': first.events[0]?.id ?? '' })

  await expect.poll(() => names(second)).toEqual(['Two', 'Three'])
})

test('an event stream sends its position before the first event, so that a client that reconnects misses nothing', async () => {
  store = await app.makeProject()
  await add('Old')
  await expect.poll(async () => ((await store.get('/v1/events')).json as object[]).length).toBe(1)
  const [last] = (await store.get('/v1/events')).json as { id: string }[]

  const stream = await open('?type=order.placed')

  await expect.poll(() => stream.text()).toContain(`id: ${last?.id}\n`)
})

test('HEAD never waits for events', async () => {
  store = await app.makeProject()

  const { status } = await store.ask('/v1/events', {
    method: 'HEAD',
    headers: { accept: 'text/event-stream' },
  })

  expect(status).toBe(200)
})

test('a client that accepts all media types of the contract in its order, as generated clients do, gets a page', async () => {
  store = await app.makeProject()
  const { content = {} } = operations.find(({ id }) => id === 'listEvents')?.answers.get(200) ?? {}

  const stream = await open('?limit=20', { accept: Object.keys(content).join(', ') })
  stream.close()

  expect([stream.status, stream.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
})

test('a client that prefers JSON or refuses a stream gets a page, and caches learn that the answer depends on Accept', async () => {
  store = await app.makeProject()
  const asked = async (accept: string) => {
    const stream = await open('', { accept })
    stream.close()
    return { type: stream.headers['content-type']?.split(';')[0], vary: stream.headers.vary }
  }
  const json = { type: 'application/json', vary: 'Authorization, Accept, Accept-Encoding' }

  expect(await asked('application/json, text/event-stream;q=0')).toEqual(json)
  expect(await asked('application/json, text/event-stream;q=0.5')).toEqual(json)
  expect(await asked('application/json;profile="text/event-stream"')).toEqual(json)
  expect(await asked('*/*')).toEqual(json)
  expect(await asked('text/event-stream, */*')).toEqual({ ...json, type: 'text/event-stream' })
})

test('an event stream has only events of the requested types and the requested subject', async () => {
  store = await app.makeProject()
  const pet = idOf(await add('Luna'))
  const ofType = await open('?type=pet.deleted')
  const ofPet = await open(`?subject=pet:${pet}`)
  await add('Other')
  await store.delete(`/v1/pets/${pet}`)

  await expect.poll(() => ofType.events.map(({ event }) => event)).toEqual(['pet.deleted'])
  await expect.poll(() => ofPet.events.map(({ event }) => event)).toContain('pet.deleted')
  expect(names(ofPet)).not.toContain('Other')
})

test('an event stream from an event that is no longer stored gets a 410, and a parameter without effect gets a 400', async () => {
  store = await app.makeProject()

  const expired = await open('?after=00000001-5')
  const limited = await open('?limit=5')
  await Promise.all([expired.ended, limited.ended])

  expect([expired.status, limited.status]).toEqual([410, 400])
  expect(JSON.parse(expired.text())).toMatchObject({ code: 'event_expired' })
})

test('an event stream names Last-Event-ID if it is no id of an event', async () => {
  store = await app.makeProject()

  const refused = await open('', { 'last-event-id': 'garbage' })
  await refused.ended

  expect(JSON.parse(refused.text())).toMatchObject({
    message: 'Last-Event-ID must be the id of an event, as 3f2a91bc-42.',
    details: [{ field: 'Last-Event-ID' }],
  })
})

test('a stream has no events of another project', async () => {
  store = await app.makeProject()
  const other = await app.makeProject()
  const stream = await open('', {}, other)
  await add('Secret')
  await add('Own', other)

  await expect.poll(() => names(stream)).toEqual(['Own'])
})

test('an event stream ends when its key is revoked', async () => {
  store = await app.makeProject()
  const stream = await open()
  await app.tools.db.apiKey.update({ where: { id: store.keyId }, data: { revokedAt: new Date() } })

  await stream.ended

  expect(stream.status).toBe(200)
})

test('a key may open as many event streams as the plan allows, and may open a new stream after an open stream has ended', async () => {
  store = await app.makeProject({ plan: 'free', perMinute: 60 })
  const streams = await Promise.all(Array.from({ length: 6 }, () => open()))
  const refused = streams.filter(({ status }) => status === 429)
  await refused[0]?.ended
  streams.find(({ status }) => status === 200)?.close()

  await expect
    .poll(async () => {
      const next = await open()
      return next.status
    })
    .toBe(200)

  expect(refused).toHaveLength(1)
  expect(JSON.parse(refused[0]?.text() ?? '')).toMatchObject({ code: 'rate_limited' })
  expect(refused[0]?.headers['retry-after']).toBe('10')
})

test('an event stream costs one request', async () => {
  store = await app.makeProject()
  const before = await remaining()
  const stream = await open()
  await add('Luna')
  await expect.poll(() => stream.events.length).toBe(1)
  // The usage counts the new pet and the stream, which is still open.
  const use = { served: 2, faulty: 0, failed: 0, refusals: 0 }
  await expect.poll(() => readUse(app, store)).toEqual(use)
  stream.close()

  expect(before - (await remaining())).toBe(2)
})

test('an event stream costs one more request for each further page of 100 waiting events, and ends when the budget is used up', async () => {
  store = await app.makeProject({ perMinute: 20 })
  const body = Array.from({ length: 149 }, (_, n) => `{"name":"Pet ${n}","categoryId":1}`).join('\n')
  const headers = { 'content-type': 'application/x-ndjson' }
  const made = await store.ask('/v1/pets/import', { method: 'POST', body, headers })
  const { firstId } = made.json as { firstId: number }
  // One event for the import, and one for each pet.
  const ids = Array.from({ length: 149 }, (_, n) => firstId + n)
  await store.patch('/v1/pets', { ids, change: { categoryId: 2 } })
  await numberAll(app.tools)
  const before = await remaining()

  const stream = await open('?after=00000000-0')
  await expect.poll(() => stream.events.length).toBe(150)
  stream.close()
  const after = await remaining()

  expect(before - after).toBe(2)
  for (let left = after; left > 1; left--) await store.get('/v1/pets')
  const last = await open('?after=00000000-0')
  await last.ended
  expect([last.status, last.events.length]).toEqual([200, 100])
  const use = { served: 20, faulty: 0, failed: 0, refusals: 1 }
  await expect.poll(() => readUse(app, store)).toEqual(use)
})

test('an event stream ends when the service stops', async () => {
  const own = await startApp({ env: { DRAIN_SECONDS: '1' } })
  const project = await own.makeProject()
  const stream = await readStream(`${own.url}/v1/events`, { authorization: `Bearer ${project.secret}` })

  await Promise.all([own.stop(), stream.ended])

  expect(stream.status).toBe(200)
})
