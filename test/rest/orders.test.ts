import { afterAll, beforeAll, expect, test } from 'vitest'
import { orderStatuses } from '../../src/core/orders/orders.ts'
import { createDemo } from '../../src/core/projects/demo.ts'
import { codesOf, graphqlOf } from '../support/graphql.ts'
import { createPet, move, type OrderAnswer, place, statusOf } from '../support/orders.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

test('an order goes from placed to approved to delivered, and its pet from available to pending to sold', async () => {
  const store = await app.makeProject()
  const petId = await createPet(store, 'available')

  const placed = await store.post('/v1/store/orders', {
    petId,
    reference: ' web-1 ',
    note: 'Comes on Saturday.',
  })
  const { id } = placed.json as OrderAnswer

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
  'a cancelled order restores the earlier status of its pet (%s), and the pet can be ordered again',
  async status => {
    const store = await app.makeProject()
    const petId = await createPet(store, status)

    const { id } = await place(store, petId)
    await move(store, id, 'approve')
    expect(await move(store, id, 'cancel')).toMatchObject({ status: 'cancelled' })

    expect(await statusOf(store, petId)).toBe(status)
    expect(await place(store, petId)).toMatchObject({ status: 'placed' })
  },
)

test('a pet that is pending, sold, in an order or missing cannot be ordered', async () => {
  const store = await app.makeProject()
  const ordered = await createPet(store)
  await place(store, ordered)

  for (const petId of [await createPet(store, 'pending'), await createPet(store, 'sold'), ordered])
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
  'a %s order refuses the moves that its state does not allow, and a repeated move returns the order unchanged',
  async (status, acts, then) => {
    const store = await app.makeProject()
    const petId = await createPet(store)
    const { id } = await place(store, petId)
    for (const act of acts) await move(store, id, act)
    const before = [(await store.get(`/v1/store/orders/${id}`)).json, await statusOf(store, petId)]

    for (const [act, result] of Object.entries(then)) {
      const moved = await move(store, id, act)
      if (result === 'order_state') expect(moved).toMatchObject({ code: 'order_state', status: 409 })
      else expect(moved).toEqual(before[0])
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

test('the body of an order must be JSON of at most 64 KiB', async () => {
  const store = await app.makeProject()
  const petId = await createPet(store)

  expect((await store.post('/v1/store/orders', { petId, note: 'x'.repeat(70_000) })).status).toBe(413)
  const form = { method: 'POST', body: `petId=${petId}` }
  expect((await store.ask('/v1/store/orders', form)).status).toBe(415)
  expect((await store.get('/v1/store/orders')).json).toEqual([])
})

test('a reference is unique within its project, even if its order has ended', async () => {
  const [store, other] = [await app.makeProject(), await app.makeProject()]
  const [first, second] = [await createPet(store), await createPet(store)]
  const { id } = await place(store, first, { reference: 'web-1' })
  await move(store, id, 'cancel')

  const refused = await place(store, second, { reference: 'web-1' })

  expect(refused).toMatchObject({ code: 'order_exists', status: 409 })
  expect(await statusOf(store, second)).toBeUndefined()
  expect(await place(other, await createPet(other), { reference: 'web-1' })).toMatchObject({
    status: 'placed',
  })
})

test('an order keeps the name and category of its pet after the pet is renamed and deleted', async () => {
  const store = await app.makeProject()
  const petId = await createPet(store)
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

test('a pet in an open order refuses a deletion and a new status, and allows all other changes', async () => {
  const store = await app.makeProject()
  const petId = await createPet(store)
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
    // One invalid field makes the service refuse the whole change.
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

test('an SQL statement can neither delete a pet in an open order nor change its status', async () => {
  const store = await app.makeProject()
  const petId = await createPet(store)
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

test('the demo store has named categories, and orders in each state that match their pets', async () => {
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

test.each([
  [{}, ['petId']],
  [{ petId: 'x' }, ['petId']],
  [{ petId: 1.5 }, ['petId']],
  [{ petId: 1, reference: '' }, ['reference']],
  [{ petId: 1, reference: 'x'.repeat(101) }, ['reference']],
  [{ petId: 1, note: 'x'.repeat(1001) }, ['note']],
  [{ petId: null, reference: null, note: 7 }, ['petId', 'reference', 'note']],
])('the order %j is refused, and all its faults are reported', async (order, fields) => {
  const store = await app.makeProject()

  const { json } = await store.post('/v1/store/orders', order)

  expect(json).toMatchObject({ code: 'invalid_input', details: fields.map(field => ({ field })) })
})

test('an order is placed, approved and delivered by GraphQL, and each mutation costs one request', async () => {
  const store = await app.makeProject()
  const send = graphqlOf(app, store)
  const petId = await createPet(store, 'available')
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
  expect(
    await costs(() => send('{ pets(first: 5) { nodes { orders(first: 5) { nodes { id } } } } }')),
  ).toEqual({
    pets: { nodes: [{ orders: { nodes: [{ id }] } }] },
  })
})
