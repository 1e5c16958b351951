import { afterAll, beforeAll, expect, it } from 'vitest'
import { readPage } from '../support/events.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

type Shown = { id: string; number: number; type: string; subject?: string; data: object; previous?: object }

/** Waits until the project has `count` events, and returns them. */
async function events(store: TestProject, count: number): Promise<Shown[]> {
  await expect.poll(async () => (await readPage(store, '/v1/events?limit=100')).events.length).toBe(count)
  return (await readPage(store, '/v1/events?limit=100')).events as Shown[]
}

it('the list of events has each change by REST, GraphQL or SQL once and in order, with the content that GET of the event returns', async () => {
  const store = await app.makeProject()
  const { id } = (await store.post('/v1/pets', { name: 'Max', categoryId: 7, status: 'available' })).json as {
    id: number
  }
  await store.post('/graphql', {
    query: `mutation { petUpdate(input: { id: ${id}, name: "Mia" }) { pet { id } } }`,
  })
  await app.tools.db.$executeRaw`UPDATE pets SET category_id = 8 WHERE project_id = ${store.project.id}`
  const { json: pet } = await store.get(`/v1/pets/${id}`)
  const { json: order } = await store.post('/v1/store/orders', { petId: id })

  const found = await events(store, 5)

  expect(found.map(({ number, type, previous }) => [number, type, previous])).toEqual([
    [1, 'pet.created', undefined],
    [2, 'pet.updated', { name: 'Max' }],
    [3, 'pet.updated', { categoryId: 7 }],
    [4, 'pet.updated', { status: 'available' }],
    [5, 'order.placed', undefined],
  ])
  expect(found[2]?.data).toEqual(pet)
  expect(found.find(({ type }) => type === 'order.placed')?.data).toEqual(order)
  expect((await store.get(`/v1/events/${found[2]?.id}`)).json).toEqual(found[2])
})

it('a page of events links to the next page, with the filters kept', async () => {
  const store = await app.makeProject()
  for (const name of ['Max', 'Mia', 'Rex']) await store.post('/v1/pets', { name, categoryId: 7 })
  const [first, second] = await events(store, 3)

  const page = await readPage(store, '/v1/events?limit=1&type=pet.created,pet.deleted')
  const next = await readPage(store, String(page.next))

  expect(page.next).toBe(`/v1/events?limit=1&type=pet.created%2Cpet.deleted&after=${first?.id}`)
  expect(next.events).toEqual([second])
  const last = await readPage(store, `/v1/events?after=${second?.id}&subject=${encodeURIComponent('pet:1')}`)
  expect(last).toEqual({ events: [], next: null })
})

it('a link to the next page with long filters is in the contract', async () => {
  const store = await app.makeProject()
  const name = '猫'.repeat(200)
  await app.tools.db.apiKey.update({ where: { id: store.keyId }, data: { name } })
  const added = await store.post('/v1/webhooks', { url: 'https://shop.example/hook' })
  const { id } = added.json as { id: string }
  await store.patch(`/v1/webhooks/${id}`, { enabled: false })
  const filters = {
    ...{ kind: 'management', type: 'webhook.added,webhook.changed', actor: `api_key:${name}` },
    ...{ subject: `webhook:${id}`, since: '2020-01-01T00:00:00Z', limit: '1' },
  }
  const path = `/v1/events?${new URLSearchParams(filters)}`

  await expect.poll(async () => (await readPage(store, path)).next).not.toBeNull()

  expect(String((await store.get(path)).headers.link).length).toBeGreaterThan(2000)
})

it('a client that already has the current list of events gets a 304', async () => {
  const store = await app.makeProject()
  await store.post('/v1/pets', { name: 'Max', categoryId: 7 })
  await events(store, 1)
  const { headers } = await store.get('/v1/events')

  const again = await store.get('/v1/events', { 'if-none-match': String(headers.etag) })

  expect(again.status).toBe(304)
})

it.each([
  ['limit=0', 'limit must be a whole number from 1 to 100.'],
  ['after=42', 'after must be the id of an event, as 3f2a91bc-42.'],
  ['type=pet.eaten', 'type must be one or more of pet.created, '],
  ['type=', 'type must be one or more of pet.created, '],
  ['kind=store&type=pet.created,api_key.issued', 'type must be one or more of pet.created, '],
  ['kind=management&type=pet.created', 'type must be one or more types of the audit log'],
  ['subject=12', 'subject must name a kind and an id, such as pet:12.'],
  ['cursor=abc', 'after continues a list here: follow the Link header; "cursor" is unknown.'],
  ['types=pet.created', 'type must be spelled "type", not "types".'],
])('the list of events refuses the query %s', async (query, message) => {
  const store = await app.makeProject()

  const { status, json } = await store.get(`/v1/events?${query}`)

  expect([status, json]).toMatchObject([
    400,
    { code: 'invalid_input', message: expect.stringContaining(message) },
  ])
})

it('an unknown event id gets a 404, and a position that the log of events never had gets a 410', async () => {
  const store = await app.makeProject()
  await store.post('/v1/pets', { name: 'Max', categoryId: 7 })
  const [event] = await events(store, 1)
  const other = await app.makeProject()

  const answers = [
    await store.get('/v1/events/12'),
    await other.get(`/v1/events/${event?.id}`),
    await store.get('/v1/events?after=00000000-1'),
    await other.get(`/v1/events?after=${event?.id}`),
  ]

  expect(answers.map(({ status, json }) => [status, (json as { code: string }).code])).toEqual([
    [404, 'event_not_found'],
    [404, 'event_not_found'],
    [410, 'event_expired'],
    [410, 'event_expired'],
  ])
})

it('a list of events from the start has all events, or gets a 410 if the first is no longer stored', async () => {
  const store = await app.makeProject()
  const path = '/v1/events?after=00000000-0'
  const empty = await store.get(path)
  for (const name of ['Max', 'Luna']) await store.post('/v1/pets', { name, categoryId: 7 })
  const all = await events(store, 2)
  const seen = await store.get(path)
  const acts = await store.get(`${path}&kind=management`)
  await app.tools.db.$executeRaw`UPDATE event_numbers SET floor = 2 WHERE project_id = ${store.project.id}`
  const expired = await store.get(path)

  expect([empty.status, empty.json]).toEqual([200, []])
  expect(seen.json).toEqual(all)
  expect([acts.status, acts.json]).toEqual([200, []])
  expect(expired.json).toMatchObject({ status: 410, code: 'event_expired' })
})

it('a list of events costs one request', async () => {
  const store = await app.makeProject()
  const remaining = async () => Number((await store.get('/v1/events')).headers['x-ratelimit-remaining'])

  expect((await remaining()) - (await remaining())).toBe(1)
})

it('a single event gets a 304 for a client that has it, and a 410 when the event is no longer stored', async () => {
  const store = await app.makeProject()
  for (const name of ['Max', 'Luna']) await store.post('/v1/pets', { name, categoryId: 7 })
  const [first] = await events(store, 2)
  const path = `/v1/events/${first?.id}`
  const seen = await store.get(path)

  const again = await store.get(path, { 'if-none-match': String(seen.headers.etag) })
  await app.tools.db.$executeRaw`UPDATE event_numbers SET floor = 2 WHERE project_id = ${store.project.id}`
  await app.tools.db.$executeRaw`DELETE FROM events WHERE project_id = ${store.project.id} AND number = 1`
  const gone = await store.get(path)

  expect(again.status).toBe(304)
  expect(gone.json).toMatchObject({ status: 410, code: 'event_expired' })
})
