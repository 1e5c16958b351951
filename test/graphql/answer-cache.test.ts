import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { getIntrospectionQuery } from 'graphql'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { freshDatabase, freshRedis } from '../support/databases.ts'
import { codesOf, graphqlOf, sendGraphql } from '../support/graphql.ts'
import { clients } from '../support/graphql-clients.ts'
import { type HoldingProxy, startHoldingProxy } from '../support/holding-proxy.ts'
import { thrice } from '../support/limiters.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'
import { countStatements } from '../support/statements.ts'

let app: App
/** Another process of the service, whose connection to PostgreSQL the test can block. */
let slow: App
let proxy: HoldingProxy
beforeAll(async () => {
  const [database, redisUrl] = [await freshDatabase(), await freshRedis()]
  const { DATABASE_URL } = database.env
  if (!DATABASE_URL || !redisUrl) return
  const heldUp = new URL(DATABASE_URL)
  proxy = await startHoldingProxy(Number(heldUp.port || 5432))
  heldUp.port = String(proxy.port)
  app = await startApp({ env: { DATABASE_URL, REDIS_URL: redisUrl } })
  slow = await startApp({ env: { DATABASE_URL: heldUp.href, REDIS_URL: redisUrl } })
})
afterAll(async () => {
  await Promise.all([app?.stop(), slow?.stop()])
  proxy?.stop()
})
beforeEach(({ skip }) => {
  if (!app) skip('redis-server or PostgreSQL is not installed')
})

const names = '{ pets(first: 3) { nodes { name } } }'

/** Makes a store whose first page is full. */
async function makeStore(name: string, limits = {}): Promise<TestProject> {
  const store = await app.makeProject({ perMinute: 100_000, perDay: 100_000, ...limits })
  const data = [1, 2, 3, 4].map(n => ({ projectId: store.project.id, name: `${name} ${n}`, categoryId: 1n }))
  await app.tools.db.pet.createMany({ data })
  // Wait until answers cached before these rows are stale.
  await pause(150)
  return store
}

/** Polls, because on a busy machine every cache entry may be stale for a moment. */
const expectCached = (ask: () => Promise<unknown>) =>
  expect.poll(() => countStatements(['pets'], ask), { timeout: 5000 }).toBe(0)

test.each(Object.keys(clients))(
  '%s gets a repeated query from the cache, with and without variables',
  async name => {
    const store = await makeStore('Luna')
    const client = clients[name]?.(app.url, store.secret)
    if (!client) throw new Error(`there is no client ${name}`)
    const named = 'query Names($first: Int) { pets(first: $first) { nodes { id name } } }'
    const seen = [
      ...(await thrice(() => client.query(named, { first: 3 }))),
      ...(await thrice(() => client.query(names))),
    ]

    await expectCached(async () => {
      seen.push(await client.query(named, { first: 3 }), await client.query(names))
    })
    for (const { data } of seen) {
      expect(data.pets.nodes.map((pet: { name: string }) => pet.name)).toEqual(['Luna 1', 'Luna 2', 'Luna 3'])
    }
  },
)

test('a persisted query is answered from the cache by its hash alone, over GET and POST', async () => {
  const store = await makeStore('Luna')
  const sha256Hash = createHash('sha256').update(names).digest('hex')
  const extensions = { persistedQuery: { version: 1, sha256Hash } }
  await graphqlOf(app, store)(names, { extensions })
  const asks = [
    () => store.get(`/graphql?${new URLSearchParams({ extensions: JSON.stringify(extensions) })}`),
    () => store.post('/graphql', { extensions }),
  ]
  for (const ask of asks) await thrice(ask)

  for (const ask of asks) {
    await expectCached(async () => expect((await ask()).text).toContain('Luna 1'))
  }
})

test('requests with the same operation in different bytes share one cached answer per media type', async () => {
  const store = await makeStore('Luna')
  const spellings = [
    JSON.stringify({ query: names }),
    JSON.stringify({ variables: {}, query: names, operationName: null }),
    JSON.stringify({ query: names, extensions: { clientLibrary: { name: 'shop', version: '1' } } }),
  ]
  const accepts = ['application/json', 'application/graphql-response+json']
  const ask = (body: string, accept: string) => store.post('/graphql', body, { accept })
  for (const accept of accepts) {
    // At the first request the service only learns whether the answer may be cached; it caches the answer at the second
    // request.
    for (const body of [...spellings, ...spellings]) await ask(body, accept)
  }

  for (const accept of accepts) {
    for (const body of spellings) {
      await expectCached(() => ask(body, accept))
      expect((await ask(body, accept)).headers['content-type']).toBe(`${accept}; charset=utf-8`)
    }
  }
})

test('each operationName gets its own answer from a text with two operations', async () => {
  const store = await makeStore('Luna')
  const query =
    'query Names { pets(first: 1) { nodes { name } } } query Count { pets(first: 2) { nodes { id } } }'
  const ask = async (operationName: string) =>
    Object.keys((await graphqlOf(app, store)(query, { operationName })).data.pets.nodes[0])

  for (let round = 0; round < 4; round++) {
    expect(await ask('Names')).toEqual(['name'])
    expect(await ask('Count')).toEqual(['id'])
  }
  await expectCached(() => ask('Names'))
})

test('projects that send one query at the same time each see their own pets', async () => {
  const stores = await Promise.all(['Luna', 'Rex', 'Milo'].map(name => makeStore(name)))

  const rounds = await thrice(() => Promise.all(stores.map(store => graphqlOf(app, store)(names))))

  for (const answers of rounds) {
    expect(answers.map(({ data }) => data.pets.nodes[0].name)).toEqual(['Luna 1', 'Rex 1', 'Milo 1'])
  }
})

test('a suspended project gets no cached answer', async () => {
  const store = await makeStore('Luna')
  await thrice(() => graphqlOf(app, store)(names))

  const where = { id: store.project.id }
  await app.tools.db.project.update({ where, data: { suspendedAt: new Date() } })

  await expect
    .poll(async () => codesOf(await graphqlOf(app, store)(names)), { timeout: 5000 })
    .toEqual(['project_suspended'])
  const after = await thrice(() => graphqlOf(app, store)(names))
  expect(after.map(({ status, data }) => [status, data])).toEqual(Array(3).fill([403, null]))
})

test('a key without pets:read gets no pets that are cached for another key', async () => {
  const store = await makeStore('Luna')
  const writing = await store.issueKey(['pets:write'])
  await thrice(() => graphqlOf(app, store)(names))

  const answers = await thrice(() => graphqlOf(app, writing)(names))

  for (const answer of answers) {
    expect(codesOf(answer)).toEqual(['insufficient_scope'])
    expect(answer.text).not.toContain('Luna')
  }
})

test('a key without orders:read gets no orders that are cached for another key', async () => {
  const store = await makeStore('Luna')
  const looking = await store.issueKey(['pets:read'])
  const { project } = store
  const pet = await app.tools.db.pet.findFirstOrThrow({ where: { projectId: project.id } })
  await store.post('/v1/store/orders', { petId: String(pet.id), note: 'Ring twice' })
  const withOrders = '{ pets(first: 3) { nodes { name orders { nodes { note } } } } }'
  const [, , seen] = await thrice(() => graphqlOf(app, store)(withOrders))
  expect(seen?.text).toContain('Ring twice')

  const answers = await thrice(() => graphqlOf(app, looking)(withOrders))

  for (const answer of answers) {
    expect(codesOf(answer)).toContain('insufficient_scope')
    expect(answer.text).not.toContain('Ring twice')
  }
})

test('if a query has a full page and a partly filled page of pets, its cached answer is replaced at once after a pet is added', async () => {
  const store = await makeStore('Luna')
  for (const [first, second] of [
    [3, 50],
    [50, 3],
  ]) {
    const query = `{ a: pets(first: ${first}) { nodes { name } } b: pets(first: ${second}) { nodes { name } } }`
    const ask = async () => (await graphqlOf(app, store)(query)).text
    await thrice(ask)
    await expectCached(ask)

    await store.post('/v1/pets', { name: `Behind ${first}`, categoryId: 1 })

    expect(await ask()).toContain(`Behind ${first}`)
  }
})

test('a cached full page shows an order’s new status at once, and an edit by psql within seconds', async () => {
  const store = await makeStore('Luna')
  const sql = (text: string) => app.tools.database.pool?.query(text)
  const [pet] = ((await store.get('/v1/pets')).json as { id: number }[]) ?? []
  const placed = await store.post('/v1/store/orders', { petId: pet?.id })
  const { id } = placed.json as { id: number }
  const ask = async () =>
    (await graphqlOf(app, store)('{ pets(first: 3) { nodes { orders { nodes { status note } } } } }')).data
      .pets.nodes[0].orders.nodes[0]
  await thrice(ask)
  await expectCached(ask)

  await store.post(`/v1/store/orders/${id}/approve`, '')
  expect(await ask()).toMatchObject({ status: 'approved' })
  await thrice(ask)
  await expectCached(ask)
  await sql(`UPDATE orders SET note = 'By hand' WHERE id = ${id}`)

  await expect.poll(ask, { timeout: 5000 }).toMatchObject({ note: 'By hand' })
})

test('a cached answer loses the name of a removed category at once', async () => {
  const store = await makeStore('Luna')
  await app.tools.db.category.create({ data: { projectId: store.project.id, id: 1n, name: 'Dogs' } })
  const ask = async () =>
    (await graphqlOf(app, store)('{ pets(first: 3) { nodes { category { name } } } }')).data.pets.nodes[0]
      .category
  await pause(150)
  await thrice(ask)
  await expectCached(ask)
  expect(await ask()).toEqual({ name: 'Dogs' })

  await store.delete('/v1/categories/1')

  expect(await ask()).toBeNull()
})

test('cached answers are charged, counted and limited like any other', async () => {
  const store = await makeStore('Luna', { plan: 'enterprise', perMinute: 7, perDay: 100 })
  const two = '{ a: pets(first: 3) { nodes { name } } b: pets(first: 3) { nodes { name } } }'
  const send = graphqlOf(app, store)

  const answers = [...(await thrice(() => send(two))), ...(await thrice(() => send(names)))]
  const refused = await send(two)
  await app.tools.usageCounter.flush()

  expect(answers.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual([
    '5',
    '3',
    '1',
    '0',
    '0',
    '0',
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 429])
  expect(answers.map(({ headers }) => headers['x-ratelimit-cost'])).toEqual([
    ...['2', '2', '2'],
    ...[undefined, undefined, undefined],
  ])
  expect(refused.headers['x-ratelimit-cost']).toBe('2')
  expect(answers.slice(4).map(codesOf)).toEqual([['rate_limited'], ['rate_limited']])
  const { usage } = (await send('{ usage(days: 1) { requests refusals } }')).data
  expect(usage).toEqual({ requests: 7, refusals: 3 })
})

test('an answer with errors is neither cached nor shared with waiting requests', async () => {
  const store = await makeStore('Luna')
  // No other test sends this text, so it is not cached yet.
  const ask = () => graphqlOf(app, store)('{ faulty: pets(first: 3) { nodes { name } } }')
  await ask()
  const sql = (text: string) => app.tools.database.pool?.query(text)

  await sql('ALTER TABLE pets RENAME COLUMN name TO title')
  const faulty = await Promise.all([ask(), ask(), ask()])
  await sql('ALTER TABLE pets RENAME COLUMN title TO name')
  const healed = await thrice(ask)

  expect(faulty.map(codesOf)).toEqual(Array(3).fill(['internal_error']))
  for (const { errors, headers } of faulty) {
    expect(errors[0]?.extensions.requestId).toBe(headers['x-request-id'])
  }
  expect(healed.map(({ data }) => data.faulty.nodes[0].name)).toEqual(Array(3).fill('Luna 1'))
})

test('the cost is added to every answer that asks for it, and to no other answer', async () => {
  const store = await makeStore('Luna')
  const send = graphqlOf(app, store)

  const costs = await thrice(() => send(names, { extensions: { cost: true } }))
  const plain = await thrice(() => send(names))

  for (const { extensions } of costs) expect(extensions.cost).toMatchObject({ storeRequests: 1 })
  for (const { extensions } of plain) expect(extensions).toEqual({})
})

test('a query sent after a change never gets a page whose read began before the change', async () => {
  const all = '{ pets(first: 100) { nodes { name } } }'
  for (let round = 0; round < 5; round++) {
    const store = await makeStore('Luna')
    const ask = () => sendGraphql(slow.url, store.secret, all)
    await thrice(ask)
    await store.post('/v1/pets', { name: 'Second', categoryId: 1 })

    proxy.hold()
    const before = ask()
    await expect.poll(() => proxy.held()).toContain('Second')
    await store.post('/v1/pets', { name: 'Third', categoryId: 1 })
    const after = ask()
    // The pause is long enough for the second query to reach the process. The pause is also so short that the process
    // still trusts the project's version that the process last read.
    await pause(20)
    proxy.release()

    expect((await before).text).toContain('Second')
    expect((await after).text).toContain('Third')
  }
})

test('an answer about the schema is built once and shared by all requests', async () => {
  const stores = await Promise.all([app.makeProject(), app.makeProject()])
  const introspection = getIntrospectionQuery()
  const { pages } = app.tools.metrics
  const askTwenty = async () => {
    for (let n = 0; n < 20; n++) {
      const store = n % 3 === 0 ? null : (stores[n % 2]?.secret ?? null)
      const { data } = await sendGraphql(app.url, store, introspection)
      expect(data.__schema.queryType.name).toBe('Query')
    }
  }
  await askTwenty()
  const before = { ...pages }

  await askTwenty()

  expect(pages).toEqual({ hits: before.hits + 20, misses: before.misses })
})

test('a cached answer about the schema costs one request for each `__type` in it', async () => {
  const store = await app.makeProject()
  const two = '{ a: __type(name: "Pet") { name } b: __type(name: "Order") { name } }'

  const answers = await thrice(() => graphqlOf(app, store)(two))

  expect(answers.map(({ headers }) => headers['x-ratelimit-cost'])).toEqual(['2', '2', '2'])
})

test('a cached answer shows a category’s new name at once, and an edit by psql within seconds', async () => {
  const store = await makeStore('Luna')
  const ask = async () =>
    (await graphqlOf(app, store)('{ pets(first: 3) { nodes { category { name } } } }')).data.pets.nodes[0]
      .category
  const set = (name: string) =>
    graphqlOf(app, store)('mutation($name: String!) { setCategory(categoryId: 1, name: $name) { id } }', {
      variables: { name },
    })
  await thrice(ask)
  await expectCached(ask)

  await set('Dogs')
  expect(await ask()).toEqual({ name: 'Dogs' })
  await thrice(ask)
  await expectCached(ask)
  await app.tools.database.pool?.query('UPDATE categories SET name = $1 WHERE project_id = $2', [
    'Cats',
    store.project.id,
  ])

  await expect.poll(ask, { timeout: 5000 }).toEqual({ name: 'Cats' })
})

test('a cached full page shows a category’s pet count at once, even for a pet beyond the page', async () => {
  const store = await makeStore('Luna')
  await app.tools.db.category.create({ data: { projectId: store.project.id, id: 1n, name: 'Dogs' } })
  // Read the creation of the category now. Otherwise the creation of the category, and not the new pet, could
  // invalidate the cached answer later, and the test would prove nothing about the new pet.
  await app.tools.changes.read()
  const ask = async () =>
    (await graphqlOf(app, store)('{ pets(first: 3) { nodes { category { petCount } } } }')).data.pets.nodes[0]
  await thrice(ask)
  await expectCached(ask)
  expect(await ask()).toEqual({ category: { petCount: 4 } })

  await store.post('/v1/pets', { name: 'Behind the page', categoryId: 1 })

  expect(await ask()).toEqual({ category: { petCount: 5 } })
})

test('if one query asks for several pages of the orders of one pet, each alias returns its own page', async () => {
  const store = await makeStore('Luna')
  const { id: petId } = await app.tools.db.pet.findFirstOrThrow({ where: { projectId: store.project.id } })
  const data = [1, 2, 3].map(n => ({
    ...{ projectId: store.project.id, petId, petName: 'Luna 1', categoryId: 1n },
    ...{ note: `Order ${n}`, status: 'delivered' as const },
  }))
  await app.tools.db.order.createMany({ data })
  const page = 'nodes { note } pageInfo { endCursor }'
  const send = graphqlOf(app, store)
  const first = await send(`{ pets(first: 1) { nodes { orders(first: 1) { ${page} } } } }`)
  const { endCursor } = first.data.pets.nodes[0].orders.pageInfo
  const query = `{ pets(first: 1) { nodes {
    one: orders(first: 1) { ${page} } two: orders(first: 2) { ${page} } behind: orders(first: 2, after: "${endCursor}") { ${page} }
  } } }`

  for (const { data } of await thrice(() => send(query))) {
    const [pet] = data.pets.nodes
    const notes = ['one', 'two', 'behind'].map(name =>
      pet[name].nodes.map(({ note }: { note: string }) => note),
    )
    expect(notes.map(({ length }) => length)).toEqual([1, 2, 2])
    expect([...notes[0], ...notes[2]].toSorted()).toEqual(['Order 1', 'Order 2', 'Order 3'])
    expect(notes[1].slice(0, 1)).toEqual(notes[0])
  }
})

test('X-Explain-Cost adds the cost each time, and plain answers never hold it', async () => {
  const store = await makeStore('Luna')
  const send = graphqlOf(app, store)

  for (let time = 0; time < 3; time++) {
    const plain = await send(names)
    const returned = await send(names, { headers: { 'x-explain-cost': '1' } })
    const only = await send(names, { headers: { 'x-explain-cost': 'only' } })

    expect(plain.extensions).toEqual({})
    expect(returned.data).toEqual(plain.data)
    expect([returned, only].map(({ extensions }) => extensions.cost)).toMatchObject(
      Array(2).fill({ storeRequests: 1 }),
    )
    expect(only.data).toBeNull()
  }
})

test('a cross-origin request without a preflight is rejected even if its answer is cached', async () => {
  const path = '/graphql?query=%7B__schema%7BqueryType%7Bname%7D%7D%7D'
  for (const key of [undefined, (await makeStore('Luna')).secret]) {
    const authorization = key && { authorization: `Bearer ${key}` }
    for (let time = 0; time < 3; time++) {
      const viaPath = await app.ask(path, { headers: { ...authorization, 'apollo-require-preflight': '1' } })
      expect(viaPath.status).toBe(200)
      const simple = await app.ask(path, { headers: { ...authorization, 'content-type': 'text/plain' } })
      expect(simple.status).toBe(key ? 415 : 400)
      const anonymous = await app.ask(path)
      expect(anonymous.status).toBe(400)
    }
  }
})
