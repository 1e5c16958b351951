import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { movableClock } from '../support/clock.ts'
import { graphqlOf } from '../support/graphql.ts'
import { createPet, move, type OrderAnswer, statusOf } from '../support/orders.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const hour = 3_600_000
const clock = movableClock()
let app: App
beforeAll(async () => {
  app = await startApp({ clock })
})
afterAll(() => app.stop())

describe('a repeated order', () => {
  const key = { 'idempotency-key': 'k' }

  test('a repeated order is placed once, and gets its first answer even after the order has changed', async () => {
    const store = await app.makeProject()
    const petId = await createPet(store)
    const first = await store.post('/v1/store/orders', { petId, note: 'Once' }, key)
    await move(store, (first.json as OrderAnswer).id, 'cancel')

    const again = await store.post('/v1/store/orders', { petId, note: 'Once' }, key)
    const byGraphql = await graphqlOf(app, store)(
      'mutation($input: NewOrder!) { placeOrder(input: $input, idempotencyKey: "k") { id status } }',
      { variables: { input: { petId: String(petId), note: 'Once' } } },
    )

    expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined])
    expect([again.status, again.json]).toEqual([201, first.json])
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(byGraphql.data.placeOrder).toEqual({
      id: `order_${(first.json as OrderAnswer).id}`,
      status: 'placed',
    })
    expect(await statusOf(store, petId)).toBeUndefined()
    expect((await store.get('/v1/store/orders')).json).toHaveLength(1)
  })

  test.each([
    ['pet', async (store: TestProject) => ({ petId: await createPet(store) })],
    ['reference', async () => ({ reference: 'web-2' })],
    ['note', async () => ({ note: 'other' })],
    ['reference and note, which are swapped,', async () => ({ reference: 'a note', note: 'web-1' })],
  ])('an order that differs by its %s is refused under the same Idempotency-Key', async (_, makeOther) => {
    const store = await app.makeProject()
    const order = { petId: await createPet(store), reference: 'web-1', note: 'a note' }
    await store.post('/v1/store/orders', order, key)

    const refused = await store.post('/v1/store/orders', { ...order, ...(await makeOther(store)) }, key)

    expect(refused.json).toMatchObject({ code: 'idempotency_mismatch', status: 422 })
    expect((await store.get('/v1/store/orders')).json).toHaveLength(1)
  })

  test('an order is refused under the Idempotency-Key of a pet, and a pet under the Idempotency-Key of an order', async () => {
    const store = await app.makeProject()
    await store.post('/v1/store/orders', { petId: await createPet(store) }, key)
    await store.post('/v1/pets', { name: 'Max', categoryId: 1 }, { 'idempotency-key': 'p' })

    for (const refused of [
      await store.post('/v1/pets', { name: 'Max', categoryId: 1 }, key),
      await store.post('/v1/store/orders', { petId: await createPet(store) }, { 'idempotency-key': 'p' }),
    ])
      expect(refused.json).toMatchObject({ code: 'idempotency_mismatch', status: 422 })
  })

  test('a repeated order gets its first answer for 24 hours, and then places another order', async () => {
    const store = await app.makeProject()
    const petId = await createPet(store)
    const ask = async () => (await store.post('/v1/store/orders', { petId }, key)).json as OrderAnswer
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

  test('a refused order does not use up its Idempotency-Key', async () => {
    const store = await app.makeProject()
    const petId = await createPet(store, 'sold')
    expect((await store.post('/v1/store/orders', { petId }, key)).status).toBe(409)

    expect((await store.post('/v1/store/orders', { petId: await createPet(store) }, key)).status).toBe(201)
  })
})
