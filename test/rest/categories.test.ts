import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCursor } from '../../src/core/cursor.ts'
import { fill } from '../support/fill.ts'
import { codesOf, graphqlOf } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const put = (store: TestProject, id: string | number, body: unknown) =>
  store.ask(`/v1/categories/${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const remove = (store: TestProject, id: string | number) =>
  store.ask(`/v1/categories/${id}`, { method: 'DELETE' })

test('a category can be named, renamed and read, and its name can be removed', async () => {
  const store = await app.makeProject()

  const named = await put(store, 7, { name: ' Parrots ' })
  const renamed = await put(store, 7, { name: 'Birds' })
  const read = await store.get('/v1/categories/7')
  const removed = await remove(store, 7)

  expect([named.status, named.json]).toEqual([201, { id: 7, name: 'Parrots', petCount: 0 }])
  expect(named.headers.location).toBe(`${app.url}/v1/categories/7`)
  expect([renamed.status, renamed.json]).toEqual([200, { id: 7, name: 'Birds', petCount: 0 }])
  expect(renamed.headers.location).toBeUndefined()
  expect([read.status, read.json]).toEqual([200, { id: 7, name: 'Birds', petCount: 0 }])
  expect([removed.status, removed.text]).toEqual([204, ''])
  expect((await remove(store, 7)).json).toMatchObject({ code: 'category_not_found', status: 404 })
  expect((await store.get('/v1/categories/7')).json).toMatchObject({ code: 'category_not_found' })
})

test('categories are found by a part of their name, over REST and GraphQL', async () => {
  const store = await app.makeProject({ plan: 'business' })
  const names = new Map([
    ...([
      [-3, 'Dogs'],
      [1, 'Hot dogs'],
      [2, '100% wool'],
      [7, 'Zoë'],
    ] as const),
    ...([
      [8, 'ZOË the Great'],
      [9, 'a_b'],
    ] as const),
  ])
  for (const [id, name] of names) await put(store, id, { name })
  const query = 'query($name: String) { categories(name: $name) { nodes { categoryId } } }'

  for (const part of ['dog', 'DOGS', 'd', 'o', 'zoë', 'zo', '00%', '%', '_', 'a_b', 'none of them']) {
    const lowered = part.toLowerCase()
    const fits = (name: string) => (lowered.length < 3 ? name.startsWith(lowered) : name.includes(lowered))
    const wanted = [...names].filter(([, name]) => fits(name.toLowerCase())).map(([id]) => id)
    const found: number[] = []
    for (let path: string | undefined = `/v1/categories?limit=1&name=${encodeURIComponent(part)}`; path; ) {
      const { json, headers } = await store.get(path)
      found.push(...(json as { id: number }[]).map(({ id }) => id))
      path = /<[^>]+(\/v1\/categories[^>]+)>; rel="next"/.exec(String(headers.link))?.[1]
    }
    expect(found, part).toEqual(wanted)
    const { categories } = (await graphqlOf(app, store)(query, { variables: { name: part } })).data
    expect(categories.nodes, part).toEqual(wanted.map(id => ({ categoryId: String(id) })))
  }
  expect((await store.get('/v1/categories?name=')).json).toMatchObject({ details: [{ field: 'name' }] })
})

test('one page of a search of categories looks through at most 5,000 categories, and the next page continues after them', async () => {
  const store = await app.makeProject()
  await put(store, 10_000, { name: 'needle' })
  const add = (from: number, to: number) =>
    fill(
      app.tools,
      `INSERT INTO categories (project_id, id, name)
       SELECT ${store.project.id}, id, 'Hay' FROM generate_series(${from}, ${to}) AS id`,
    )
  const query = `query($after: String, $first: Int, $last: Int, $before: String) {
    categories(name: "eed", first: $first, after: $after, last: $last, before: $before) {
      nodes { categoryId } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }`
  const send = async (variables: object) =>
    (await graphqlOf(app, store)(query, { variables })).data.categories
  const needle = { nodes: [{ categoryId: '10000' }] }
  await add(1, 4_990)

  const near = await store.get('/v1/categories?name=eed')
  await add(4_991, 5_010)
  await add(10_001, 15_010)
  const far = await store.get('/v1/categories?name=eed')
  const next = /<[^>]+(\/v1\/categories[^>]+)>; rel="next"/.exec(String(far.headers.link))?.[1] ?? ''
  const second = await store.get(next)
  const first = await send({ first: 1 })
  const lastOfAll = await send({ last: 1, before: makeCursor(store.project, 20_000n, 'categories') })

  expect([near.json, near.headers.link]).toMatchObject([[{ id: 10_000 }], undefined])
  expect(far.json).toEqual([])
  expect(second.json).toMatchObject([{ id: 10_000 }])
  expect(first).toMatchObject({ nodes: [], pageInfo: { hasNextPage: true } })
  expect(await send({ first: 1, after: first.pageInfo.endCursor })).toMatchObject(needle)
  expect(lastOfAll).toMatchObject({ nodes: [], pageInfo: { hasPreviousPage: true } })
  expect(await send({ last: 1, before: lastOfAll.pageInfo.startCursor })).toMatchObject(needle)
})

test("concurrent changes and removals of a category's name are answered as if they ran one after the other", async () => {
  const store = await app.makeProject()

  for (let round = 0; round < 5; round++) {
    const named = await Promise.all(Array.from({ length: 20 }, (_, n) => put(store, 7, { name: `No ${n}` })))
    const mixed = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 2 === 0 ? put(store, 7, { name: 'Next' }) : remove(store, 7),
      ),
    )

    const count = (answers: { status: number }[], wanted: number) =>
      answers.filter(({ status }) => status === wanted).length
    expect([count(named, 201), count(named, 200)]).toEqual([1, 19])
    // Each successful removal removes the first name, or a name that was created in between.
    const isThere = (await store.get('/v1/categories/7')).status === 200
    expect(count(mixed, 204)).toBe(1 + count(mixed, 201) - Number(isThere))
    expect(count(mixed, 201) + count(mixed, 200)).toBe(20)
    await remove(store, 7)
  }
})

test('the name of a category is returned exactly as it was sent', async () => {
  const store = await app.makeProject()

  for (const name of ['Zoë "the Great" \\ 🦊', '{"id":1}', 'a\u00a0b\u2028c', '</script>']) {
    const { json } = await put(store, 7, { name })

    expect(json).toEqual({ id: 7, name, petCount: 0 })
    expect((await store.get('/v1/categories/7')).json).toEqual(json)
    expect((await store.get('/v1/categories')).json).toEqual([json])
  }
})

test('a pet may have a category number without a name, and keeps the number when the name of the category is removed', async () => {
  const store = await app.makeProject()
  await put(store, 3, { name: 'Rabbits' })
  for (const categoryId of [3, 4]) await store.post('/v1/pets', { name: 'Max', categoryId })
  const send = graphqlOf(app, store)
  const pets = async () =>
    (await send('{ pets { nodes { categoryId category { id name } } } }')).data.pets.nodes

  const before = await pets()
  await remove(store, 3)
  const after = await pets()

  expect(before).toEqual([
    { categoryId: '3', category: { id: 'category_3', name: 'Rabbits' } },
    { categoryId: '4', category: null },
  ])
  expect(after).toEqual([
    { categoryId: '3', category: null },
    { categoryId: '4', category: null },
  ])
})

test('a category returns the current number of its pets right after each change', async () => {
  const [store, other] = [await app.makeProject(), await app.makeProject()]
  for (const id of [3, 4]) await put(store, id, { name: `No ${id}` })
  await other.post('/v1/pets', { name: 'Max', categoryId: 3 })
  const counts = async () => {
    const byRest = (await store.get('/v1/categories')).json as { petCount: number }[]
    const single = await Promise.all([3, 4].map(id => store.get(`/v1/categories/${id}`)))
    const named = await Promise.all([3, 4].map(id => put(store, id, { name: `No ${id}` })))
    for (const answers of [single, named]) expect(answers.map(({ json }) => json)).toEqual(byRest)
    const { data } = await graphqlOf(app, store)('{ categories { nodes { petCount } } }')
    expect(data.categories.nodes).toEqual(byRest.map(({ petCount }) => ({ petCount })))
    return byRest.map(({ petCount }) => petCount)
  }

  expect(await counts()).toEqual([0, 0])
  const pets = []
  for (let i = 0; i < 3; i++)
    pets.push(((await store.post('/v1/pets', { name: 'Max', categoryId: 3 })).json as { id: number }).id)
  expect(await counts()).toEqual([3, 0])
  await app.tools.db.pet.updateMany({ where: { id: { in: pets.slice(0, 2) } }, data: { categoryId: 4n } })
  expect(await counts()).toEqual([1, 2])
  await store.ask(`/v1/pets/${pets[0]}`, { method: 'DELETE' })
  expect(await counts()).toEqual([1, 1])
})

test('REST and GraphQL list categories by ascending number, page by page, exact to the last digit', async () => {
  const store = await app.makeProject()
  const ids = ['-9223372036854775808', '-1', '0', '9007199254740993', '9223372036854775807']
  for (const id of [...ids].reverse()) expect((await put(store, id, { name: `No ${id}` })).status).toBe(201)

  const seen: string[] = []
  const cursors: string[] = []
  for (let path: string | undefined = '/v1/categories?limit=2'; path; ) {
    const page = await store.get(path)
    seen.push(...[...page.text.matchAll(/"id":(-?\d+)/g)].map(([, id]) => id ?? ''))
    path = /<[^>]+(\/v1\/categories[^>]+)>; rel="next"/.exec(String(page.headers.link))?.[1]
    if (path) cursors.push(new URLSearchParams(path.split('?')[1]).get('cursor') ?? '')
  }
  const list =
    'query($after: String) { categories(first: 2, after: $after) { nodes { categoryId } pageInfo { endCursor hasNextPage } } }'
  const first = await graphqlOf(app, store)(list)
  const second = await graphqlOf(app, store)(list, { variables: { after: cursors[0] } })

  expect(seen).toEqual(ids)
  expect(first.data.categories.pageInfo).toEqual({ endCursor: cursors[0], hasNextPage: true })
  expect(second.data.categories.nodes).toEqual([{ categoryId: ids[2] }, { categoryId: ids[3] }])
})

test('the link to the next page of categories repeats the query', async () => {
  const store = await app.makeProject()
  for (const id of [1, 2, 3]) await put(store, id, { name: `No ${id}` })

  const { headers } = await store.get('/v1/categories?limit=2&utm_source=x')

  expect(headers.link).toMatch(
    new RegExp(`^<${app.url}/v1/categories\\?limit=2&cursor=[\\w-]+>; rel="next"$`),
  )
})

test('a client that already has a category or a page of them gets a 304', async () => {
  const store = await app.makeProject()
  await put(store, 7, { name: 'Parrots' })

  for (const path of ['/v1/categories', '/v1/categories/7']) {
    const { headers } = await store.get(path)
    const tag = { 'if-none-match': String(headers.etag) }
    expect((await store.get(path, tag)).status).toBe(304)
    await put(store, 7, { name: `Not ${path}` })
    expect((await store.get(path, tag)).status).toBe(200)
  }
})

test('a full page of categories gets another ETag when a next page appears, although the body of the page is unchanged', async () => {
  const store = await app.makeProject()
  await put(store, 7, { name: 'Parrots' })
  const { headers, text } = await store.get('/v1/categories?limit=1')
  const tag = { 'if-none-match': String(headers.etag) }
  expect(headers.link).toBeUndefined()
  expect((await store.get('/v1/categories?limit=1', tag)).status).toBe(304)

  await put(store, 8, { name: 'Cats' })
  const further = await store.get('/v1/categories?limit=1', tag)

  expect([further.status, further.text]).toEqual([200, text])
  expect(further.headers.link).toContain('rel="next"')
})

test.each([
  ['', 'name'],
  ['   ', 'name'],
  ['x'.repeat(101), 'name'],
  ['a\u0000b', 'name'],
  ['\ud800', 'name'],
  [5, 'name'],
  [undefined, 'name'],
])('REST and GraphQL refuse the category name %j and change nothing', async (name, field) => {
  const store = await app.makeProject()

  const refused = await put(store, 7, { name })

  expect(refused.json).toMatchObject({ code: 'invalid_input', status: 400, details: [{ field }] })
  if (typeof name === 'string') {
    const answer = await graphqlOf(app, store)(
      'mutation($name: String!) { setCategory(categoryId: 7, name: $name) { id } }',
      { variables: { name } },
    )
    expect(answer.errors).toMatchObject([{ extensions: { code: 'invalid_input', details: [{ field }] } }])
  }
  expect((await store.get('/v1/categories')).json).toEqual([])
})

test.each(['abc', '1.5', '007', '9223372036854775808'])('the number %s is no category', async id => {
  const store = await app.makeProject()

  const refused = await Promise.all([
    store.get(`/v1/categories/${id}`),
    put(store, id, { name: 'x' }),
    remove(store, id),
  ])

  for (const { json } of refused) expect(json).toMatchObject({ code: 'category_not_found', status: 404 })
})

test('naming a category is refused if the body is not an object, is too large or is not JSON', async () => {
  const store = await app.makeProject()

  expect((await put(store, 7, [])).json).toMatchObject({ code: 'invalid_input' })
  expect((await put(store, 7, { name: 'x'.repeat(70_000) })).status).toBe(413)
  expect((await store.ask('/v1/categories/7', { method: 'PUT', body: 'name=x' })).status).toBe(415)
})

test('the list of categories refuses invalid page parameters and cursors of other lists', async () => {
  const store = await app.makeProject()
  for (let i = 0; i < 3; i++) await store.post('/v1/pets', { name: 'Max', categoryId: 1 })
  const { headers } = await store.get('/v1/pets?limit=1')
  const ofPets = /cursor=([^&>]+)/.exec(String(headers.link))?.[1]

  for (const query of [
    'limit=0',
    'limit=101',
    'limit=x',
    'limit=1x',
    'cursor=x',
    `cursor=${ofPets}`,
    'limits=1',
  ])
    expect((await store.get(`/v1/categories?${query}`)).json, query).toMatchObject({
      code: 'invalid_input',
      details: [{ field: query.startsWith('limit') ? 'limit' : 'cursor' }],
    })
})

describe('the access to categories', () => {
  test('a category of another project looks missing, and stays unchanged', async () => {
    const [own, other] = [await app.makeProject(), await app.makeProject()]
    await put(own, 7, { name: 'Mine' })

    expect((await other.get('/v1/categories/7')).status).toBe(404)
    expect((await remove(other, 7)).status).toBe(404)
    expect((await put(other, 7, { name: 'Theirs' })).status).toBe(201)
    expect((await own.get('/v1/categories/7')).json).toEqual({ id: 7, name: 'Mine', petCount: 0 })
  })

  test('reading categories needs pets:read, and naming them needs pets:write, over REST and GraphQL', async () => {
    const store = await app.makeProject()
    const [reading, writing] = [await store.issueKey(['pets:read']), await store.issueKey(['pets:write'])]

    expect((await put(reading, 7, { name: 'x' })).status).toBe(403)
    expect((await remove(reading, 7)).status).toBe(403)
    expect((await put(writing, 7, { name: 'x' })).status).toBe(201)
    expect((await writing.get('/v1/categories')).status).toBe(403)
    expect((await writing.get('/v1/categories/7')).status).toBe(403)
    const blind = graphqlOf(app, writing)
    const meek = graphqlOf(app, reading)
    for (const answer of [
      await blind('{ categories { nodes { id } } }'),
      await blind('{ category(categoryId: 7) { id } }'),
      await blind('{ node(id: "category_7") { id } }'),
      await meek('mutation { setCategory(categoryId: 7, name: "y") { id } }'),
      await meek('mutation { removeCategory(categoryId: 7) { removedId } }'),
    ])
      expect(codesOf(answer)).toEqual(['insufficient_scope'])
  })
})

test('each category operation costs one request over REST and GraphQL, and the category of a pet costs nothing extra', async () => {
  const store = await app.makeProject({ perMinute: 1000 })
  const send = graphqlOf(app, store)
  const left = async () =>
    (await send('{ rateLimit { minute { remaining } } }')).data.rateLimit.minute.remaining as number

  for (const act of [
    () => put(store, 7, { name: 'Parrots' }),
    () => store.get('/v1/categories'),
    () => store.get('/v1/categories/7'),
    () => send('{ categories { nodes { name } } }'),
    () => send('{ category(categoryId: 7) { name } }'),
    () => send('{ node(id: "category_7") { id } }'),
    () => send('{ pets { nodes { category { name } } } }'),
    () => send('mutation { setCategory(categoryId: 7, name: "Birds") { id categoryId name } }'),
    () => send('mutation { removeCategory(categoryId: 7) { removedId } }'),
  ]) {
    const before = await left()
    const { status } = await act()
    expect([status < 300, before - (await left())]).toEqual([true, 1])
  }
})
