import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fill } from '../support/fill.ts'
import { graphqlOf } from '../support/graphql.ts'
import { createPet, move, type OrderAnswer, place } from '../support/orders.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

describe('the list of orders', () => {
  test('REST and GraphQL list orders newest first, by page, status, pet and reference, with the same cursors', async () => {
    const store = await app.makeProject()
    const oldest = await place(store, await createPet(store))
    const petId = await createPet(store)
    const ids: number[] = []
    for (let i = 0; i < 5; i++) {
      const { id } = await place(store, petId, { reference: `web-${i}` })
      ids.unshift(id)
      await move(store, id, 'cancel')
    }
    const open = await place(store, petId)
    const other = await place(store, await createPet(store))
    const list = async (query: string) => {
      const found: number[] = []
      for (let path: string | undefined = `/v1/store/orders?${query}`; path; ) {
        const { json, headers } = await store.get(path)
        found.push(...(json as OrderAnswer[]).map(({ id }) => id))
        path = /<[^>]+(\/v1\/store[^>]+)>; rel="next"/.exec(String(headers.link))?.[1]
      }
      return found
    }

    expect(await list('limit=2')).toEqual([other.id, open.id, ...ids, oldest.id])
    expect(await list(`limit=2&petId=${petId}`)).toEqual([open.id, ...ids])
    expect(await list('limit=3&status=cancelled')).toEqual(ids)
    expect(await list(`limit=1&status=cancelled&petId=${petId}`)).toEqual(ids)
    expect(await list(`status=placed&petId=${petId}`)).toEqual([open.id])
    expect(await list('reference=web-3')).toEqual([ids[1]])
    expect(await list('reference=%20web-3%20')).toEqual([ids[1]])
    expect(await list('reference=web-9')).toEqual([])
    const { headers } = await store.get('/v1/store/orders?limit=2')
    const cursor = /cursor=([^&>]+)/.exec(String(headers.link))?.[1]
    const page = await graphqlOf(app, store)(
      'query($after: String) { orders(first: 2, after: $after) { nodes { id } pageInfo { hasPreviousPage endCursor } } }',
      { variables: { after: cursor } },
    )
    expect(page.data.orders.nodes).toEqual(ids.slice(0, 2).map(id => ({ id: `order_${id}` })))
    expect(
      (await store.get(`/v1/store/orders?limit=2&cursor=${page.data.orders.pageInfo.endCursor}`)).json,
    ).toMatchObject([{ id: ids[2] }, { id: ids[3] }])
  })

  test('orders are found by a part of their reference or of their pet’s name, over REST and GraphQL', async () => {
    const store = await app.makeProject({ plan: 'business' })
    const names = ['Zoë the Great', 'Max', '100% Maxima', 'ZORA']
    const placed: { id: number; name: string; reference: string | null }[] = []
    for (const [n, reference] of ['Web-17', null, 'a_b', '%', 'web-18', null].entries()) {
      const name = names[n % names.length] ?? ''
      const { json } = await store.post('/v1/pets', { name, categoryId: 1 })
      const { id } = await place(store, (json as { id: number }).id, reference === null ? {} : { reference })
      placed.unshift({ id, name, reference })
    }
    const query =
      'query($search: String) { orders(search: $search) { nodes { id } pageInfo { hasNextPage } } }'

    for (const search of ['web', 'EB-1', 'zoë', 'max', 'm', 'z', '0% ', '%', 'a_', '_b', 'a_b', 'nobody']) {
      const part = search.toLowerCase()
      const fits = (text: string | null) =>
        (part.length < 3 ? text?.toLowerCase().startsWith(part) : text?.toLowerCase().includes(part)) === true
      const wanted = placed.filter(({ name, reference }) => fits(name) || fits(reference)).map(({ id }) => id)
      const found: number[] = []
      for (
        let path: string | undefined = `/v1/store/orders?limit=1&search=${encodeURIComponent(search)}`;
        path;
      ) {
        const { json, headers } = await store.get(path)
        found.push(...(json as OrderAnswer[]).map(({ id }) => id))
        path = /<[^>]+(\/v1\/store[^>]+)>; rel="next"/.exec(String(headers.link))?.[1]
      }
      expect(found, search).toEqual(wanted)
      const { orders } = (await graphqlOf(app, store)(query, { variables: { search } })).data
      expect(orders, search).toEqual({
        nodes: wanted.map(id => ({ id: `order_${id}` })),
        pageInfo: { hasNextPage: false },
      })
    }
    const { json } = await store.get('/v1/store/orders?search=web&status=approved')
    expect(json).toEqual([])
  })

  test('one page of an order search looks through at most 5,000 orders, and the next page continues with the older orders', async () => {
    const store = await app.makeProject()
    const { id } = await place(store, await createPet(store), { reference: 'needle' })
    const add = (count: number) =>
      fill(
        app.tools,
        `INSERT INTO orders (project_id, pet_id, pet_name, category_id, status)
         SELECT ${store.project.id}, 1, 'Max', 1, 'cancelled' FROM generate_series(1, ${count})`,
      )
    await add(4_990)

    const { json, headers } = await store.get('/v1/store/orders?search=eed')
    await add(20)
    const far = await store.get('/v1/store/orders?search=eed')
    const next = /<[^>]+(\/v1\/store[^>]+)>; rel="next"/.exec(String(far.headers.link))?.[1] ?? ''
    const last = await store.get(next)

    expect([json, headers.link]).toMatchObject([[{ id }], undefined])
    expect(far.json).toEqual([])
    expect([last.json, last.headers.link]).toMatchObject([[{ id }], undefined])
  }, 60_000)

  test.each(['search=', `search=${'x'.repeat(101)}`, 'search=%00'])(
    'the search ?%s is refused',
    async query => {
      const { json } = await (await app.makeProject()).get(`/v1/store/orders?${query}`)

      expect(json).toMatchObject({ code: 'invalid_input', details: [{ field: 'search' }] })
    },
  )

  test('the link to the next page of orders repeats the query', async () => {
    const store = await app.makeProject()
    const petId = await createPet(store)
    for (let i = 0; i < 3; i++) await move(store, (await place(store, petId)).id, 'cancel')

    const { headers } = await store.get(`/v1/store/orders?status=cancelled&limit=2&petId=${petId}&x=1`)

    const { pathname, searchParams } = new URL(/^<(.+)>; rel="next"$/.exec(String(headers.link))?.[1] ?? '')
    expect([pathname, Object.fromEntries(searchParams)]).toEqual([
      '/v1/store/orders',
      { limit: '2', status: 'cancelled', petId: String(petId), cursor: expect.any(String) },
    ])
  })

  test('the pages of the order list together show each order that existed before the first page exactly once, despite new and cancelled orders', async () => {
    const store = await app.makeProject()
    const petIds = await Promise.all(Array.from({ length: 9 }, () => createPet(store)))
    const before: number[] = []
    for (const petId of petIds.slice(0, 5)) before.unshift((await place(store, petId)).id)

    const seen: number[] = []
    for (let path: string | undefined = '/v1/store/orders?limit=2'; path; ) {
      const { json, headers } = await store.get(path)
      seen.push(...(json as OrderAnswer[]).map(({ id }) => id))
      path = /<[^>]+(\/v1\/store[^>]+)>; rel="next"/.exec(String(headers.link))?.[1]
      await place(store, petIds.at(-seen.length) ?? 0)
      await move(store, seen.at(-1) ?? 0, 'cancel')
    }

    expect(seen).toEqual(before)
  })

  test('a client that already has the list or an order gets a 304', async () => {
    const store = await app.makeProject()
    const { id } = await place(store, await createPet(store))

    for (const path of ['/v1/store/orders', `/v1/store/orders/${id}`]) {
      const tag = { 'if-none-match': String((await store.get(path)).headers.etag) }
      expect((await store.get(path, tag)).status).toBe(304)
    }
    const tag = { 'if-none-match': String((await store.get('/v1/store/orders')).headers.etag) }
    await move(store, id, 'approve')
    expect((await store.get('/v1/store/orders', tag)).status).toBe(200)
  })

  test.each([
    ['limit=0', 'limit'],
    ['status=lost', 'status'],
    ['petId=x', 'petId'],
    ['reference=', 'reference'],
    ['cursor=x', 'cursor'],
    ['pet=1&petID=1', 'petId'],
  ])('a list of orders with %s is refused', async (query, field) => {
    const store = await app.makeProject()

    expect((await store.get(`/v1/store/orders?${query}`)).json).toMatchObject({
      code: 'invalid_input',
      details: [{ field }],
    })
  })
})
