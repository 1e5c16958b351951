import { afterAll, beforeAll, beforeEach, expect, it, type MockInstance, onTestFinished, vi } from 'vitest'
import { readEvents } from '../../src/core/events/log.ts'
import { eventId as toEventId } from '../../src/core/events/position.ts'
import { operations } from '../support/contract-document.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let lines: MockInstance
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())
beforeEach(() => {
  lines = vi.spyOn(app.tools.log, 'info')
  onTestFinished(() => lines.mockRestore())
})

const routeOf = (template: string) => `/v1${template.replace(/\{(\w+)\}/g, ':$1')}`

/** Creates one resource of each kind, and returns the URL of each operation that reads it. */
async function makeStore() {
  const store = await app.makeProject()
  const json = { 'content-type': 'application/json' }
  const pet = (await store.post('/v1/pets', { name: 'Max', categoryId: 7 })).json as { id: number }
  await store.ask('/v1/categories/7', { method: 'PUT', headers: json, body: '{"name":"Dogs"}' })
  const order = (await store.post('/v1/store/orders', { petId: pet.id })).json as { id: number }
  const read = () =>
    readEvents(app.tools.database, store.project, { after: null, types: null, subject: null, limit: 9 })
  await expect.poll(async () => (await read()).events.length).toBe(4)
  const { reached } = await read()
  const eventId = reached ? toEventId(reached) : ''
  const { id: webhookId } = (
    await store.post('/v1/webhooks', { url: 'https://93.184.216.7/', enabled: false })
  ).json as { id: string }
  const ids: Record<string, number | string> = {
    petId: pet.id,
    categoryId: 7,
    orderId: order.id,
    eventId,
    webhookId,
  }
  const addressOf = (template: string) =>
    `/v1${template.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]))}`
  return { store, addressOf, petId: pet.id }
}

/** Returns new log lines of requests, without fields that always differ. */
async function linesOf(count: number) {
  const found = () => lines.mock.calls.flat().filter(line => 'route' in line)
  await expect.poll(found).toHaveLength(count)
  const logged = found().map(({ method, route, status, project }) => [method, route, status, project])
  lines.mockClear()
  return logged
}

const bodyOf = (method: string, template: string) => ({
  headers: { 'content-type': template === '/pets/import' ? 'application/x-ndjson' : 'application/json' },
  ...(['POST', 'PUT', 'PATCH'].includes(method) && { body: '[]' }),
})

it('every operation logs one line under its route, even if its method, scope or query is refused', async () => {
  const { store, addressOf } = await makeStore()
  const reader = await store.issueKey(['project:read'])
  await linesOf(4)
  const { slug } = store.project

  for (const { method, template } of operations) {
    const [path, route] = [addressOf(template), routeOf(template)]
    const send = (who: TestProject) => who.ask(path, { method, ...bodyOf(method, template) })

    const answers = [
      await store.ask(path, { method: 'PURGE' }),
      await send(reader),
      ...(method === 'GET' ? [await store.get(`${path}?limit[]=1&format[]=1`)] : []),
      await send(store),
    ]

    const statuses = answers.map(({ status }) => status)
    const isOpen = ['/rate-limit', '/usage', '/events/export'].includes(template)
    expect(statuses.slice(0, 2)).toEqual([405, isOpen ? 200 : 403])
    const logged = ['PURGE', ...Array(answers.length - 1).fill(method)]
    expect(await linesOf(answers.length)).toEqual(logged.map((name, i) => [name, route, statuses[i], slug]))
  }
})

it('the log contains no text of an unknown path, and a download of a contract file is logged under the path of the file', async () => {
  const store = await app.makeProject()

  await store.get('/v1/pets/1/2')
  await store.get('/v1/nowhere')
  for (const path of ['/openapi.yaml', '/openapi.json', '/schema.graphql']) await app.ask(path)

  const { slug } = store.project
  expect(await linesOf(5)).toEqual([
    ['GET', 'none', 404, slug],
    ['GET', 'none', 404, slug],
    ...['/openapi.yaml', '/openapi.json', '/schema.graphql'].map(route => ['GET', route, 200, undefined]),
  ])
})

it('HEAD returns the headers of GET without the body', async () => {
  const { store, addressOf } = await makeStore()
  const same = ['content-type', 'etag', 'link', 'deprecation', 'content-disposition', 'cache-control']
  const got = operations.filter(({ method }) => method === 'GET')

  for (const { template } of got) {
    const path = addressOf(template)
    const [get, head] = [await store.get(path), await store.ask(path, { method: 'HEAD' })]

    expect([path, head.status, head.text]).toEqual([path, 200, ''])
    for (const name of same) expect([path, head.headers[name]]).toEqual([path, get.headers[name]])
    if (template.endsWith('/export')) continue
    expect([path, head.headers['content-length']]).toEqual([path, String(Buffer.byteLength(get.text))])
  }
  expect(got).toHaveLength(16)
})

it('unknown members of a body are ignored, even if another operation takes them', async () => {
  const { store, addressOf, petId } = await makeStore()
  const other = await app.makeProject()
  const more = {
    ...{ id: 5, projectId: other.project.id, project_id: other.project.id, petCount: 9, line: 3 },
    ...{ status: 'sold', placedAt: '2020-01-01T00:00:00Z', constructor: 1 },
  }
  const free = (await store.post('/v1/pets', { name: 'Rex', categoryId: 7 })).json as { id: number }
  const put = { method: 'PUT', headers: { 'content-type': 'application/json' } }

  const placed = await store.post('/v1/store/orders', { ...more, petId: free.id })
  const named = await store.ask('/v1/categories/8', {
    ...put,
    body: JSON.stringify({ ...more, name: 'Cats' }),
  })
  const { status, ...unset } = more
  const changed = await store.patch(`/v1/pets/${petId}`, { ...unset, name: 'Moritz' })

  expect(placed.json).toEqual({
    ...{ id: expect.any(Number), petId: free.id, categoryId: 7, petName: 'Rex', status: 'placed' },
    placedAt: expect.not.stringMatching(/^2020/),
  })
  expect([named.status, named.json]).toEqual([201, { id: 8, name: 'Cats', petCount: 0 }])
  expect(changed.json).toEqual({ id: petId, name: 'Moritz', categoryId: 7, status: 'pending' })
  expect((await store.get(addressOf('/pets/{petId}'))).json).toEqual(changed.json)
  expect((await other.get('/v1/store/orders')).json).toEqual([])
})
