import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDemo } from '../../src/core/demo.ts'
import { orderStatuses } from '../../src/core/orders.ts'
import { movableClock } from '../support/clock.ts'
import { codesOf, graphqlOf } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const hour = 3_600_000
const clock = movableClock()
let app: App
beforeAll(async () => {
  app = await startApp({ clock })
})
afterAll(() => app.stop())

type Told = { id: number; status: string; code: string } & Record<string, unknown>

async function addPet(store: TestProject, status?: string): Promise<number> {
  const pet = { name: 'Luna', categoryId: 7, ...(status && { status }) }
  return ((await store.post('/v1/pets', pet)).json as Told).id
}
const place = async (store: TestProject, petId: number, more = {}) =>
  (await store.post('/v1/store/orders', { petId, ...more })).json as Told
const move = async (store: TestProject, id: number | string, act: string) =>
  (await store.post(`/v1/store/orders/${id}/${act}`, '')).json as Told
const statusOf = async (store: TestProject, petId: number) =>
  ((await store.get(`/v1/pets/${petId}`)).json as Told).status

test('an order goes from placed over approved to delivered, and its pet from available over pending to sold', async () => {
  const store = await app.makeProject()
  const petId = await addPet(store, 'available')

  const placed = await store.post('/v1/store/orders', {
    petId,
    reference: ' web-1 ',
    note: 'Comes on Saturday.',
  })
  const { id } = placed.json as Told

  expect(placed.status).toBe(201)
  expect(placed.headers.location).toBe(`${app.url}/v1/store/orders/${id}`)
  expect(placed.json).toEqual({
    id,
    petId,
    categoryId: 7,
    petName: 'Luna',
    status: 'placed',
    reference: 'web-1',
    note: 'Comes on Saturday.',
    placedAt: expect.stringMatching(/^\d{4}-.*Z$/),
  })
  expect(await statusOf(store, petId)).toBe('pending')
  expect(await move(store, id, 'approve')).toMatchObject({ id, status: 'approved' })
  expect(await statusOf(store, petId)).toBe('pending')
  const delivered = await move(store, id, 'deliver')
  expect(delivered).toMatchObject({
    status: 'delivered',
    approvedAt: expect.any(String),
    deliveredAt: expect.any(String),
  })
  expect(await statusOf(store, petId)).toBe('sold')
  expect((await store.get(`/v1/store/orders/${id}`)).json).toEqual(delivered)
})

test.each([['available'], [undefined]])(
  'a cancelled order gives its pet back the status that it had (%s), and the pet can be ordered again',
  async status => {
    const store = await app.makeProject()
    const petId = await addPet(store, status)

    const { id } = await place(store, petId)
    await move(store, id, 'approve')
    expect(await move(store, id, 'cancel')).toMatchObject({ status: 'cancelled' })

    expect(await statusOf(store, petId)).toBe(status)
    expect(await place(store, petId)).toMatchObject({ status: 'placed' })
  },
)

test('a pet that is pending, sold, in an order, or not there cannot be ordered', async () => {
  const store = await app.makeProject()
  const ordered = await addPet(store)
  await place(store, ordered)

  for (const petId of [await addPet(store, 'pending'), await addPet(store, 'sold'), ordered])
    expect(await place(store, petId)).toMatchObject({ code: 'pet_not_available', status: 409 })
  for (const petId of [99_999_999, -1, 0])
    expect(await place(store, petId)).toMatchObject({ code: 'pet_not_found', status: 404 })
})

test.each([
  ['placed', [], { deliver: 'order_state' }],
  ['approved', ['approve'], { approve: 'approved' }],
  [
    'delivered',
    ['approve', 'deliver'],
    { approve: 'order_state', cancel: 'order_state', deliver: 'delivered' },
  ],
  ['cancelled', ['cancel'], { approve: 'order_state', deliver: 'order_state', cancel: 'cancelled' }],
])(
  'of a %s order, what leads elsewhere is refused, and what was done answers with what is there',
  async (status, acts, then) => {
    const store = await app.makeProject()
    const petId = await addPet(store)
    const { id } = await place(store, petId)
    for (const act of acts) await move(store, id, act)
    const before = [(await store.get(`/v1/store/orders/${id}`)).json, await statusOf(store, petId)]

    for (const [act, result] of Object.entries(then)) {
      const told = await move(store, id, act)
      if (result === 'order_state') expect(told).toMatchObject({ code: 'order_state', status: 409 })
      else expect(told).toEqual(before[0])
    }

    expect(before[0]).toMatchObject({ status })
    expect([(await store.get(`/v1/store/orders/${id}`)).json, await statusOf(store, petId)]).toEqual(before)
  },
)

test('the numbers of an order are exact to the last digit', async () => {
  const store = await app.makeProject()
  const projectId = store.project.id
  const [petId, categoryId, orderId] = [9_007_199_254_740_993n, -9_223_372_036_854_775_807n, 2n ** 63n - 2n]
  await app.tools.db.pet.create({ data: { id: petId, projectId, name: 'Luna', categoryId } })
  const cancelled = { status: 'cancelled' as const, cancelledAt: new Date() }
  await app.tools.db.order.create({
    data: { id: orderId, projectId, petId, categoryId, petName: 'Luna', ...cancelled },
  })

  const placed = await store.post('/v1/store/orders', `{"petId":${petId}}`)
  const found = await store.get(`/v1/store/orders/${orderId}`)
  const listed = await store.get(`/v1/store/orders?petId=${petId}`)

  const numbers = `"petId":${petId},"categoryId":${categoryId},`
  expect([placed.status, found.status]).toEqual([201, 200])
  expect(placed.text).toContain(numbers)
  expect(found.text.startsWith(`{"id":${orderId},${numbers}`)).toBe(true)
  expect(listed.text.split(numbers)).toHaveLength(1 + 2)
})

test('an order is JSON, and of 64 KiB at most', async () => {
  const store = await app.makeProject()
  const petId = await addPet(store)

  expect((await store.post('/v1/store/orders', { petId, note: 'x'.repeat(70_000) })).status).toBe(413)
  const form = { method: 'POST', body: `petId=${petId}` }
  expect((await store.ask('/v1/store/orders', form)).status).toBe(415)
  expect((await store.get('/v1/store/orders')).json).toEqual([])
})

test('a reference is unique in its project alone, whatever has become of its order', async () => {
  const [store, other] = [await app.makeProject(), await app.makeProject()]
  const [first, second] = [await addPet(store), await addPet(store)]
  const { id } = await place(store, first, { reference: 'web-1' })
  await move(store, id, 'cancel')

  const refused = await place(store, second, { reference: 'web-1' })

  expect(refused).toMatchObject({ code: 'order_exists', status: 409 })
  expect(await statusOf(store, second)).toBeUndefined()
  expect(await place(other, await addPet(other), { reference: 'web-1' })).toMatchObject({ status: 'placed' })
})

test('an order remembers what its pet was, when the pet is renamed and when it is gone', async () => {
  const store = await app.makeProject()
  const petId = await addPet(store)
  const { id } = await place(store, petId)
  await move(store, id, 'cancel')
  const { db } = app.tools
  await db.pet.updateMany({ where: { projectId: store.project.id }, data: { name: 'Max', categoryId: 8n } })
  const renamed = await graphqlOf(
    app,
    store,
  )(`{ order(id: "order_${id}") { petName categoryId pet { name } } }`)
  await db.pet.deleteMany({ where: { projectId: store.project.id } })
  const gone = await graphqlOf(
    app,
    store,
  )(`{ order(id: "order_${id}") { petId petName categoryId pet { name } } }`)

  expect(renamed.data.order).toEqual({ petName: 'Luna', categoryId: '7', pet: { name: 'Max' } })
  expect(gone.data.order).toEqual({ petId: String(petId), petName: 'Luna', categoryId: '7', pet: null })
})

test('a pet in an open order can neither be deleted nor have its status set, and everything else of it can change', async () => {
  const store = await app.makeProject()
  const petId = await addPet(store)
  const path = `/v1/pets/${petId}`
  const change = (body: object) =>
    store.ask(path, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const byGraphql = graphqlOf(app, store)
  const { id } = await place(store, petId)

  for (const state of ['placed', 'approved']) {
    const refused = [
      await store.ask(path, { method: 'DELETE' }),
      await change({ status: 'available' }),
      await change({ name: 'Max', status: 'sold' }),
    ]
    for (const { json } of refused) expect(json, state).toMatchObject({ code: 'pet_in_order', status: 409 })
    for (const mutation of [
      `deletePet(petId: ${petId}) { petId }`,
      `updatePet(petId: ${petId}, input: { status: null }) { id }`,
    ])
      expect(codesOf(await byGraphql(`mutation { ${mutation} }`))).toEqual(['pet_in_order'])
    // A refusal of a part is one of the whole.
    expect((await store.get(path)).json).toMatchObject({ name: 'Luna', status: 'pending' })
    await move(store, id, 'approve')
  }
  expect((await change({ name: 'Max', categoryId: 8, status: 'pending' })).status).toBe(200)
  await move(store, id, 'deliver')

  expect((await change({ status: 'available' })).status).toBe(200)
  expect((await store.ask(path, { method: 'DELETE' })).status).toBe(204)
  expect((await store.get(`/v1/store/orders/${id}`)).json).toMatchObject({
    petName: 'Luna',
    status: 'delivered',
  })
})

test('nobody who edits the database by hand takes a pet out of its open order either', async () => {
  const store = await app.makeProject()
  const petId = await addPet(store)
  const { id } = await place(store, petId)
  const { db } = app.tools

  const edits = () => [
    db.$executeRaw`DELETE FROM pets WHERE id = ${petId}`,
    db.$executeRaw`UPDATE pets SET status = 'available' WHERE id = ${petId}`,
  ]

  for (const edit of edits()) await expect(edit).rejects.toThrow(`is in the open order ${id}`)
  await db.$executeRaw`UPDATE pets SET name = 'Max' WHERE id = ${petId}`
  await move(store, id, 'cancel')
  for (const edit of edits().reverse()) expect(await edit).toBe(1)
})

test('the demo store has named categories, and orders in each state that agree with their pets', async () => {
  await createDemo(app.tools.db)
  const { id: projectId } = await app.tools.db.project.findUniqueOrThrow({ where: { slug: 'demo' } })
  const orders = await app.tools.db.order.findMany({ where: { projectId } })
  const pets = await app.tools.db.pet.findMany({ where: { projectId } })

  expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(orderStatuses))
  const petStatusIn = { placed: 'pending', approved: 'pending', delivered: 'sold' } as const
  for (const { id, petId, status } of orders) {
    const pet = pets.find(pet => pet.id === petId)
    const isOpen = status === 'placed' || status === 'approved'
    expect(pet?.openOrderId).toBe(isOpen ? id : null)
    if (status !== 'cancelled') expect(pet?.status).toBe(petStatusIn[status])
  }
  expect(await app.tools.db.category.count({ where: { projectId } })).toBe(6)
})

describe('the list', () => {
  test('comes newest first, a page at a time, by status, pet and reference, with the same cursors by either door', async () => {
    const store = await app.makeProject()
    const oldest = await place(store, await addPet(store))
    const petId = await addPet(store)
    const ids: number[] = []
    for (let i = 0; i < 5; i++) {
      const { id } = await place(store, petId, { reference: `web-${i}` })
      ids.unshift(id)
      await move(store, id, 'cancel')
    }
    const open = await place(store, petId)
    const other = await place(store, await addPet(store))
    const list = async (query: string) => {
      const found: number[] = []
      for (let path: string | undefined = `/v1/store/orders?${query}`; path; ) {
        const { json, headers } = await store.get(path)
        found.push(...(json as Told[]).map(({ id }) => id))
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

  test('keeps what was asked for in the way to the next page', async () => {
    const store = await app.makeProject()
    const petId = await addPet(store)
    for (let i = 0; i < 3; i++) await move(store, (await place(store, petId)).id, 'cancel')

    const { headers } = await store.get(`/v1/store/orders?status=cancelled&limit=2&petId=${petId}&x=1`)

    const { pathname, searchParams } = new URL(/^<(.+)>; rel="next"$/.exec(String(headers.link))?.[1] ?? '')
    expect([pathname, Object.fromEntries(searchParams)]).toEqual([
      '/v1/store/orders',
      { limit: '2', status: 'cancelled', petId: String(petId), cursor: expect.any(String) },
    ])
  })

  test('stays right while orders are being placed and moved', async () => {
    const store = await app.makeProject()
    const petIds = await Promise.all(Array.from({ length: 9 }, () => addPet(store)))
    const before: number[] = []
    for (const petId of petIds.slice(0, 5)) before.unshift((await place(store, petId)).id)

    const seen: number[] = []
    for (let path: string | undefined = '/v1/store/orders?limit=2'; path; ) {
      const { json, headers } = await store.get(path)
      seen.push(...(json as Told[]).map(({ id }) => id))
      path = /<[^>]+(\/v1\/store[^>]+)>; rel="next"/.exec(String(headers.link))?.[1]
      await place(store, petIds.at(-seen.length) ?? 0)
      await move(store, seen.at(-1) ?? 0, 'cancel')
    }

    expect(seen).toEqual(before)
  })

  test('tells a client that holds it already so, and a single order too', async () => {
    const store = await app.makeProject()
    const { id } = await place(store, await addPet(store))

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
  ])('asked with %s is refused', async (query, field) => {
    const store = await app.makeProject()

    expect((await store.get(`/v1/store/orders?${query}`)).json).toMatchObject({
      code: 'invalid_input',
      details: [{ field }],
    })
  })
})

test.each([
  [{}, ['petId']],
  [{ petId: 'x' }, ['petId']],
  [{ petId: 1.5 }, ['petId']],
  [{ petId: 1, reference: '' }, ['reference']],
  [{ petId: 1, reference: 'x'.repeat(101) }, ['reference']],
  [{ petId: 1, note: 'x'.repeat(1001) }, ['note']],
  [{ petId: null, reference: null, note: 7 }, ['petId', 'reference', 'note']],
])('the order %j is refused with all that is wrong', async (order, fields) => {
  const store = await app.makeProject()

  const { json } = await store.post('/v1/store/orders', order)

  expect(json).toMatchObject({ code: 'invalid_input', details: fields.map(field => ({ field })) })
})

describe('under an Idempotency-Key', () => {
  const key = { 'idempotency-key': 'k' }

  test('an order is placed once, and the same answer comes again whatever has become of it', async () => {
    const store = await app.makeProject()
    const petId = await addPet(store)
    const first = await store.post('/v1/store/orders', { petId, note: 'Once' }, key)
    await move(store, (first.json as Told).id, 'cancel')

    const again = await store.post('/v1/store/orders', { petId, note: 'Once' }, key)
    const byGraphql = await graphqlOf(app, store)(
      'mutation($input: NewOrder!) { placeOrder(input: $input, idempotencyKey: "k") { id status } }',
      { variables: { input: { petId: String(petId), note: 'Once' } } },
    )

    expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined])
    expect([again.status, again.json]).toEqual([201, first.json])
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(byGraphql.data.placeOrder).toEqual({ id: `order_${(first.json as Told).id}`, status: 'placed' })
    expect(await statusOf(store, petId)).toBeUndefined()
    expect((await store.get('/v1/store/orders')).json).toHaveLength(1)
  })

  test.each([
    ['pet', async (store: TestProject) => ({ petId: await addPet(store) })],
    ['reference', async () => ({ reference: 'web-2' })],
    ['note', async () => ({ note: 'other' })],
    ['reference as the note', async () => ({ reference: 'a note', note: 'web-1' })],
  ])('another order by its %s is refused', async (_, makeOther) => {
    const store = await app.makeProject()
    const order = { petId: await addPet(store), reference: 'web-1', note: 'a note' }
    await store.post('/v1/store/orders', order, key)

    const refused = await store.post('/v1/store/orders', { ...order, ...(await makeOther(store)) }, key)

    expect(refused.json).toMatchObject({ code: 'idempotency_mismatch', status: 422 })
    expect((await store.get('/v1/store/orders')).json).toHaveLength(1)
  })

  test('a pet under the key of an order, and an order under the key of a pet are refused', async () => {
    const store = await app.makeProject()
    await store.post('/v1/store/orders', { petId: await addPet(store) }, key)
    await store.post('/v1/pets', { name: 'Max', categoryId: 1 }, { 'idempotency-key': 'p' })

    for (const refused of [
      await store.post('/v1/pets', { name: 'Max', categoryId: 1 }, key),
      await store.post('/v1/store/orders', { petId: await addPet(store) }, { 'idempotency-key': 'p' }),
    ])
      expect(refused.json).toMatchObject({ code: 'idempotency_mismatch', status: 422 })
  })

  test('the same order is answered for 24 hours, and then there is another', async () => {
    const store = await app.makeProject()
    const petId = await addPet(store)
    const ask = async () => (await store.post('/v1/store/orders', { petId }, key)).json as Told
    const first = await ask()
    await move(store, first.id, 'cancel')

    clock.advance(24 * hour - 60_000)
    expect(await ask()).toEqual(first)
    clock.advance(120_000)
    const second = await ask()
    expect(second).toMatchObject({ petId, status: 'placed' })
    expect(second.id).not.toBe(first.id)
    expect(await ask()).toEqual(second)
  })

  test('a refused order leaves the key free', async () => {
    const store = await app.makeProject()
    const petId = await addPet(store, 'sold')
    expect((await store.post('/v1/store/orders', { petId }, key)).status).toBe(409)

    expect((await store.post('/v1/store/orders', { petId: await addPet(store) }, key)).status).toBe(201)
  })
})

describe('other projects and keys', () => {
  test("another project's pets and orders look like missing ones", async () => {
    const [own, other] = [await app.makeProject(), await app.makeProject()]
    const [petId, free] = [await addPet(own), await addPet(own)]
    const { id } = await place(own, petId)

    expect(await place(other, petId)).toMatchObject({ code: 'pet_not_found' })
    // Under a key it leaves nothing behind either.
    for (const _ of [1, 2]) {
      const refused = await other.post('/v1/store/orders', { petId: free }, { 'idempotency-key': 'k' })
      expect(refused.json).toMatchObject({ code: 'pet_not_found' })
    }
    expect(
      (await other.post('/v1/store/orders', { petId: await addPet(other) }, { 'idempotency-key': 'k' }))
        .status,
    ).toBe(201)
    expect((await other.get(`/v1/store/orders/${id}`)).status).toBe(404)
    for (const act of ['approve', 'deliver', 'cancel'])
      expect(await move(other, id, act)).toMatchObject({ code: 'order_not_found', status: 404 })
    const stranger = graphqlOf(app, other)
    expect((await stranger(`{ node(id: "order_${id}") { id } }`)).data.node).toBeNull()
    expect(codesOf(await stranger(`{ order(id: "order_${id}") { id } }`))).toEqual(['order_not_found'])
    expect(await move(own, id, 'approve')).toMatchObject({ status: 'approved' })
  })

  test.each(['abc', '0', '-1', '1.5', '012', '9223372036854775807', '9223372036854775808'])(
    'no order is found under the number %s',
    async id => {
      const store = await app.makeProject()

      const found = (await store.get(`/v1/store/orders/${id}`)).json
      const moved = await Promise.all(['approve', 'deliver', 'cancel'].map(act => move(store, id, act)))

      for (const told of [found, ...moved])
        expect(told).toMatchObject({ code: 'order_not_found', status: 404 })
    },
  )

  test.each(['12', 'order_x', 'order_', 'pet_1', 'order_9223372036854775808'])(
    'no order bears the id %s',
    async id => {
      const store = await app.makeProject()

      const answer = await graphqlOf(app, store)('query($id: ID!) { order(id: $id) { id } }', {
        variables: { id },
      })

      expect(codesOf(answer)).toEqual(['order_not_found'])
    },
  )

  test('a key reads and writes orders only with their scopes, and is shown none that another key had kept', async () => {
    const store = await app.makeProject()
    const petId = await addPet(store)
    const { id } = await place(store, petId)
    const pets = '{ pets { nodes { name orders { nodes { id } } } } }'
    const blind = await store.issueKey(['pets:read', 'pets:write', 'project:read', 'project:write'])
    const [reading, writing] = [await store.issueKey(['orders:read']), await store.issueKey(['orders:write'])]
    for (let i = 0; i < 4; i++) expect((await graphqlOf(app, store)(pets)).errors).toEqual([])

    const shown = await graphqlOf(app, blind)(pets)
    expect(codesOf(shown)).toEqual(['insufficient_scope'])
    expect(shown.text).not.toContain('order_')
    for (const key of [blind, writing]) {
      expect((await key.get('/v1/store/orders')).status).toBe(403)
      expect((await key.get(`/v1/store/orders/${id}`)).status).toBe(403)
      expect(codesOf(await graphqlOf(app, key)('{ orders { nodes { id } } }'))).toEqual([
        'insufficient_scope',
      ])
      expect(codesOf(await graphqlOf(app, key)(`{ node(id: "order_${id}") { id } }`))).toEqual([
        'insufficient_scope',
      ])
    }
    for (const key of [blind, reading]) {
      expect(await place(key, petId)).toMatchObject({ code: 'insufficient_scope' })
      expect(await move(key, id, 'approve')).toMatchObject({ code: 'insufficient_scope' })
    }
    expect((await reading.get('/v1/store/orders')).json).toHaveLength(1)
    const withPets = await graphqlOf(app, reading)('{ orders { nodes { petName pet { name } } } }')
    expect([codesOf(withPets), withPets.data.orders.nodes]).toEqual([
      ['insufficient_scope'],
      [{ petName: 'Luna', pet: null }],
    ])
    expect(await move(writing, id, 'cancel')).toMatchObject({ status: 'cancelled' })
  })
})

test('by GraphQL an order goes the same way, and each act costs one request of the plan', async () => {
  const store = await app.makeProject()
  const send = graphqlOf(app, store)
  const petId = await addPet(store, 'available')
  const left = async () =>
    (await send('{ rateLimit { minute { remaining } } }')).data.rateLimit.minute.remaining as number
  const costs = async (act: () => ReturnType<typeof send>) => {
    const before = await left()
    const { data } = await act()
    expect(before - (await left())).toBe(1)
    return data
  }
  const { placeOrder } = await costs(() =>
    send(
      `mutation { placeOrder(input: { petId: ${petId}, reference: "web-1" }) { id status pet { status } } }`,
    ),
  )
  const { id } = placeOrder
  const act = (name: string) =>
    costs(() => send(`mutation { ${name}(id: "${id}") { id status pet { status } } }`))

  expect(placeOrder).toMatchObject({ status: 'placed', pet: { status: 'pending' } })
  expect((await act('approveOrder')).approveOrder).toEqual({
    id,
    status: 'approved',
    pet: { status: 'pending' },
  })
  expect((await act('deliverOrder')).deliverOrder).toEqual({
    id,
    status: 'delivered',
    pet: { status: 'sold' },
  })
  expect(codesOf(await send(`mutation { cancelOrder(id: "${id}") { id } }`))).toEqual(['order_state'])
  expect(
    await costs(() => send('{ orders(status: delivered, reference: "web-1") { nodes { id } } }')),
  ).toEqual({
    orders: { nodes: [{ id }] },
  })
  expect(await costs(() => send(`{ node(id: "${id}") { id ... on Order { petName } } }`))).toEqual({
    node: { id, petName: 'Luna' },
  })
  expect(await costs(() => send('{ pets { nodes { orders { nodes { id } } } } }'))).toEqual({
    pets: { nodes: [{ orders: { nodes: [{ id }] } }] },
  })
})
