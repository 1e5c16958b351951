import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { freshDatabase, freshRedis } from '../support/databases.ts'
import { graphqlOf, sendGraphql } from '../support/graphql.ts'
import { addMany } from '../support/import.ts'
import { signedIn } from '../support/people.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'
import { countStatements } from '../support/statements.ts'

let app: App | undefined
let store: TestProject
let ids: bigint[]
beforeAll(async () => {
  const [database, redisUrl] = [await freshDatabase(), await freshRedis()]
  const { DATABASE_URL } = database.env
  if (DATABASE_URL && redisUrl) app = await startApp({ env: { DATABASE_URL, REDIS_URL: redisUrl } })
})
afterAll(() => app?.stop())

/** A store of thirty pets; twenty fill the first page. */
beforeEach(async ({ skip }) => {
  if (!app) return skip('redis-server or PostgreSQL is not installed')
  store = await app.makeProject({ perMinute: 1_000_000, perDay: 1_000_000 })
  const projectId = store.project.id
  const data = Array.from({ length: 30 }, (_, i) => ({ projectId, name: `Pet ${i}`, categoryId: 1n }))
  const rows = await app.tools.db.pet.createManyAndReturn({ data })
  ids = rows.map(({ id }) => id)
  // Wait until the process has read these new rows from the log of changes and has invalidated the pages that it cached
  // before.
  await pause(250)
})

const everyRead = async () => [
  (await store.get('/v1/pets')).text,
  (await store.get(`/v1/pets/${ids[0]}`)).text,
  (await graphqlOf(app as App, store)('{ pets(first: 20) { nodes { id name } } }')).text,
]
const statementsOf = (run: () => Promise<unknown>) => countStatements(['pets', 'api_keys'], run)
const sql = (text: string, ...values: unknown[]) => app?.tools.database.pool?.query(text, values)

it('a full cached page is returned without an SQL statement, even while clients add pets that belong on later pages', async () => {
  const before = await everyRead()
  // GraphQL learns from the first answer whether it may be cached, and caches a page at its second request.
  await everyRead()
  await everyRead()

  const addAndRead = async () => {
    for (let i = 0; i < 3; i++) await store.post('/v1/pets', { name: `New ${i}`, categoryId: 1 })
    return statementsOf(async () => expect(await everyRead()).toEqual(before))
  }

  // Poll, because a process that was delayed does not trust its cache for a moment and queries the database instead.
  await expect.poll(addAndRead).toBe(0)
})

it.each([
  ['a new pet', (name: string) => store.post('/v1/pets', { name, categoryId: 1 })],
  ['an imported pet', (name: string) => addMany(store, 1, name)],
])('%s appears at once on a page that is not full', async (_, add) => {
  const rest = async () => (await store.get('/v1/pets?limit=50')).text
  const graphql = async () =>
    (await graphqlOf(app as App, store)('{ pets(first: 50) { nodes { name } } }')).text
  await Promise.all([rest(), graphql()])

  for (let i = 0; i < 3; i++) {
    await add(`New ${i}`)
    expect(await rest()).toContain(`New ${i}`)
    expect(await graphql()).toContain(`New ${i}`)
  }
})

it('a new pet appears at once on the full page of the newest pets', async () => {
  const newest = async () => (await store.get('/v1/pets?sort=-id&limit=5')).text
  for (let i = 0; i < 3; i++) {
    await newest()
    await newest()
    await store.post('/v1/pets', { name: `New ${i}`, categoryId: 1 })
    expect(await newest()).toContain(`New ${i}`)
  }
})

it('a signed-in person sees a change at once', async () => {
  const { tools, url } = app as App
  const person = await signedIn(tools, url, store.project, 'developer')
  const token = await person.token(store.project.slug)
  const reads = [
    async () => (await person.ask('/v1/pets?limit=50')).text,
    async () => (await person.ask(`/v1/pets/${ids[0]}`)).text,
    async () => (await sendGraphql(url, token, '{ pets(first: 50) { nodes { name } } }')).text,
  ]

  for (let i = 0; i < 3; i++) {
    for (let time = 0; time < 5; time++) for (const read of reads) await read()
    await store.patch(`/v1/pets/${ids[0]}`, { name: `Renamed ${i}` })
    for (const read of reads) expect(await read()).toContain(`Renamed ${i}`)
  }
})

it('REST and GraphQL show the changed status of an ordered pet at once', async () => {
  const rest = async () => (await store.get('/v1/pets?limit=5')).text
  const one = async () => (await store.get(`/v1/pets/${ids[0]}`)).text
  const graphql = async () =>
    (await graphqlOf(app as App, store)('{ pets(first: 5) { nodes { name status } } }')).text
  const pages = async () => [await rest(), await one(), await graphql()]
  const act = async (path: string, body: unknown = '') => {
    for (let time = 0; time < 3; time++) await pages()
    return (await store.post(path, body)).json as { id: number }
  }
  const expectAll = async (status: string) => {
    for (const page of await pages()) expect(page).toContain(`"${status}"`)
  }
  const expectNone = async (status: string) => {
    for (const page of await pages()) expect(page).not.toContain(`"${status}"`)
  }

  for (let round = 0; round < 2; round++) {
    const { id } = await act('/v1/store/orders', { petId: String(ids[0]) })
    await expectAll('pending')
    await act(`/v1/store/orders/${id}/cancel`)
    await expectNone('pending')
  }
  const { id } = await act('/v1/store/orders', { petId: String(ids[0]) })
  await act(`/v1/store/orders/${id}/approve`)
  await act(`/v1/store/orders/${id}/deliver`)
  await expectAll('sold')
})

it('a missing pet is not cached', async () => {
  const next = BigInt(ids.at(-1) ?? 0) + 1n
  expect((await store.get(`/v1/pets/${next}`)).status).toBe(404)

  await store.post('/v1/pets', { name: 'Late', categoryId: 1 })

  expect((await store.get(`/v1/pets/${next}`)).text).toContain('Late')
})

it.each([
  ['changed', `UPDATE pets SET name = 'Changed' WHERE id = $1`, 'Changed'],
  [
    'added',
    `WITH gone AS (DELETE FROM pets WHERE id = $1 RETURNING *)
     INSERT INTO pets (id, project_id, name, category_id) SELECT id, project_id, 'Added', 1 FROM gone`,
    'Added',
  ],
])('a pet %s by SQL alone appears within 250 ms', async (_, change, name) => {
  const before = await everyRead()
  expect(before.join()).not.toContain(name)

  await sql(change, ids[0])
  await pause(250)

  const [list, , graphql] = await everyRead()
  expect(list).toContain(name)
  expect(graphql).toContain(name)
})

it('the link to the next page disappears within 250 ms when the pets behind a full page are deleted by SQL', async () => {
  const link = async () => (await store.get('/v1/pets')).headers.link
  const query = '{ pets(first: 20) { pageInfo { hasNextPage } } }'
  const graphql = async () => (await graphqlOf(app as App, store)(query)).text
  for (let time = 0; time < 3; time++) await Promise.all([link(), graphql()])
  expect(await link()).toContain('rel="next"')
  expect(await graphql()).toContain('true')

  await sql('DELETE FROM pets WHERE id > $1', ids[19])
  await pause(250)

  expect(await link()).toBeUndefined()
  expect(await graphql()).toContain('false')
})

it('a pet and a key that are deleted by SQL disappear from the caches', async () => {
  await everyRead()
  const other = await store.issueKey()
  expect((await other.get('/v1/pets')).status).toBe(200)

  await sql('DELETE FROM pets WHERE id = $1', ids[0])
  await sql('DELETE FROM api_keys WHERE id = $1', other.keyId)
  await pause(250)

  expect((await store.get(`/v1/pets/${ids[0]}`)).status).toBe(404)
  await expect.poll(async () => (await other.get('/v1/pets')).status).toBe(401)
})
