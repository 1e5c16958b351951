import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codesOf, graphqlOf } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
beforeAll(async () => {
  app = await startApp()
  store = await app.makeProject({ plan: 'business' })
})
afterAll(() => app.stop())

const send = (query: string) => graphqlOf(app, store)(query)
const quoteless = (etag: unknown) => String(etag).replace(/^"(.*)"$/, '$1')

test('an order has the same etag over REST and GraphQL, and a move with a stale etag is refused', async () => {
  const pet = (await store.post('/v1/pets', { name: 'Rex', categoryId: 1 })).json as { id: number }
  const { data } = await send(`mutation { placeOrder(input: { petId: ${pet.id} }) { id etag } }`)
  const { id, etag } = data.placeOrder
  const byRest = await store.get(`/v1/store/orders/${id.replace('order_', '')}`)
  const move = (name: string, tag: string) =>
    send(`mutation { ${name}(id: "${id}", ifMatch: ${JSON.stringify(tag)}) { status etag } }`)

  expect(quoteless(byRest.headers.etag)).toBe(etag)
  expect((await move('approveOrder', etag)).data.approveOrder.status).toBe('approved')
  for (const name of ['deliverOrder', 'cancelOrder'])
    expect(codesOf(await move(name, etag))).toEqual(['precondition_failed'])
  expect(codesOf(await move('cancelOrder', 'a b'))).toEqual(['invalid_input'])
  expect((await move('cancelOrder', '*')).data.cancelOrder.status).toBe('cancelled')
})

test('a category has an etag, GraphQL also accepts the etag from REST, and a change with a stale etag is refused', async () => {
  const set = (name: string, ifMatch = '') =>
    send(`mutation { setCategory(categoryId: 7, name: "${name}" ${ifMatch}) { name etag } }`)
  const { etag } = (await set('Dogs')).data.setCategory
  const byRest = quoteless((await store.get('/v1/categories/7')).headers.etag)

  expect(byRest).toBe(`${etag}.0`)
  const renamed = await set('Cats', `ifMatch: "${byRest}"`)
  expect(renamed.data.setCategory.name).toBe('Cats')
  expect(renamed.data.setCategory.etag).not.toBe(etag)
  expect(codesOf(await set('Birds', `ifMatch: "${etag}"`))).toEqual(['precondition_failed'])
  const remove = (tag: string) =>
    send(`mutation { removeCategory(categoryId: 7, ifMatch: "${tag}") { removedId } }`)
  expect(codesOf(await remove(etag))).toEqual(['precondition_failed'])
  expect((await remove(renamed.data.setCategory.etag)).data.removeCategory.removedId).toBe('category_7')
})

test.each([
  ['a list of pets', '{ pets { nodes { id name } } }', 'ETag of a cached answer'],
  ['the project', '{ project { slug } }', 'ETag of an answer that is computed for each request'],
])(
  'a persisted query by GET for %s has an ETag, and a request with this ETag gets 304 while the answer is unchanged',
  async (_what, query) => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: hash('sha256', query) } }
    await store.post('/graphql', { query, extensions })
    const path = `/graphql?extensions=${encodeURIComponent(JSON.stringify(extensions))}`
    const get = (headers = {}) => store.ask(path, { headers })
    const first = await get()
    const etag = String(first.headers.etag)

    expect([first.status, etag.startsWith('W/"')]).toEqual([200, true])
    for (let n = 0; n < 2; n++) {
      const again = await get({ 'if-none-match': etag })
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
      expect(again.headers['cache-control']).toBe('private, no-cache')
      expect(again.headers['x-ratelimit-limit'] ?? again.headers.ratelimit).toBeDefined()
    }
    await store.post('/v1/pets', { name: 'New', categoryId: 1 })
    await app.tools.db.project.update({ where: { id: store.project.id }, data: { name: 'Renamed' } })
    if (query.includes('pets')) {
      const changed = await get({ 'if-none-match': etag })
      expect(changed.status).toBe(200)
      expect(changed.headers.etag).not.toBe(etag)
    }
  },
)

test('an answer with errors and an answer to a POST have no ETag', async () => {
  const get = (query: string) =>
    store.ask(`/graphql?query=${encodeURIComponent(query)}`, { headers: { 'if-none-match': '*' } })

  for (const query of [
    '{ order(id: "order_999999999") { id } }',
    '{ nothing }',
    '{ pets(first: 0) { nodes { id } } }',
  ])
    expect((await get(query)).headers.etag).toBeUndefined()
  expect((await store.post('/graphql', { query: '{ pets { nodes { id } } }' })).headers.etag).toBeUndefined()
})

test('introspection names the specifications of DateTime and Date', async () => {
  const { data } = await send(
    '{ a: __type(name: "DateTime") { specifiedByURL } b: __type(name: "Date") { specifiedByURL } }',
  )

  expect(data.a.specifiedByURL).toBe('https://www.rfc-editor.org/rfc/rfc3339')
  expect(data.b.specifiedByURL).toBe('https://www.rfc-editor.org/rfc/rfc3339#section-5.6')
})

test.each(['apiKeys', 'domains', 'deploys'])(
  'a cursor from the list %s is accepted only in this list, and only for the project that the list belongs to',
  async list => {
    const other = await app.makeProject({ plan: 'business' })
    const projectId = other.project.id
    const now = new Date()
    await app.tools.db.domain.create({
      data: { projectId, name: `${list.toLowerCase()}.example.com`, createdAt: now, looksSince: now },
    })
    const configuration = { title: null, description: null, domains: { primary: null, redirects: [] } }
    await app.tools.db.deploy.create({ data: { projectId, succeeded: true, configuration, log: [] } })
    const { data } = await graphqlOf(app, other)(`{ ${list} { edges { cursor } } }`)
    const [{ cursor }] = data[list].edges
    const use = (of: TestProject, field: string) =>
      graphqlOf(app, of)(`{ ${field}(after: "${cursor}") { nodes { id } } }`)

    expect(codesOf(await use(other, list))).toEqual([])
    expect(codesOf(await use(store, list))).toEqual(['invalid_input'])
    for (const another of ['apiKeys', 'domains', 'deploys', 'pets'].filter(each => each !== list))
      expect(codesOf(await use(other, another))).toEqual(['invalid_input'])
  },
)
