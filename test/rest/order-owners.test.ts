import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codesOf, graphqlOf } from '../support/graphql.ts'
import { createPet, move, place } from '../support/orders.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

describe('the access to orders', () => {
  test('pets and orders of another project look missing', async () => {
    const [own, other] = [await app.makeProject(), await app.makeProject()]
    const [petId, free] = [await createPet(own), await createPet(own)]
    const { id } = await place(own, petId)

    expect(await place(other, petId)).toMatchObject({ code: 'pet_not_found' })
    // A refused order does not store its Idempotency-Key.
    for (const _ of [1, 2]) {
      const refused = await other.post('/v1/store/orders', { petId: free }, { 'idempotency-key': 'k' })
      expect(refused.json).toMatchObject({ code: 'pet_not_found' })
    }
    expect(
      (await other.post('/v1/store/orders', { petId: await createPet(other) }, { 'idempotency-key': 'k' }))
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
    'the number %s finds no order',
    async id => {
      const store = await app.makeProject()

      const found = (await store.get(`/v1/store/orders/${id}`)).json
      const moved = await Promise.all(['approve', 'deliver', 'cancel'].map(act => move(store, id, act)))

      for (const refusal of [found, ...moved])
        expect(refusal).toMatchObject({ code: 'order_not_found', status: 404 })
    },
  )

  test.each(['12', 'order_x', 'order_', 'pet_1', 'order_9223372036854775808'])(
    'the id %s finds no order',
    async id => {
      const store = await app.makeProject()

      const answer = await graphqlOf(app, store)('query($id: ID!) { order(id: $id) { id } }', {
        variables: { id },
      })

      expect(codesOf(answer)).toEqual(['order_not_found'])
    },
  )

  test('a key needs orders:read to read orders and orders:write to write orders, even if another key’s answer is cached', async () => {
    const store = await app.makeProject()
    const petId = await createPet(store)
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
    expect([codesOf(withPets), withPets.data]).toEqual([['insufficient_scope'], null])
    expect(await move(writing, id, 'cancel')).toMatchObject({ status: 'cancelled' })
  })
})
