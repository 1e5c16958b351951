import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forgetOldCreations } from '../../src/core/pets/idempotency.ts'
import { forgetIdempotencyKeys } from '../../src/jobs/forget-idempotency-keys.ts'
import { movableClock } from '../support/clock.ts'
import { ids } from '../support/ids.ts'
import { type App, startApp } from '../support/start-app.ts'

const clock = movableClock()
let app: App
beforeAll(async () => {
  app = await startApp({ clock })
})
afterAll(() => app.stop())

const minute = 60_000
const hour = 60 * minute
const pet = { name: 'Max', categoryId: 1, status: 'available' }

describe('a creation repeated under its Idempotency-Key', () => {
  it('a repeated creation gets the same answer, and makes one pet', async () => {
    const store = await app.makeProject()

    const first = await store.post('/v1/pets', pet, { 'idempotency-key': '"order-1"' })
    const bare = await store.post('/v1/pets', pet, { 'idempotency-key': 'order-1' })

    expect([first.status, bare.status]).toEqual([201, 201])
    expect([first.headers['idempotent-replayed'], bare.headers['idempotent-replayed']]).toEqual([
      undefined,
      'true',
    ])
    expect(bare.text).toBe(first.text)
    expect(bare.headers.location).toBe(first.headers.location)
    expect(ids(await store.get('/v1/pets'))).toHaveLength(1)
  })

  it.each([
    ['name', { ...pet, name: 'Moritz' }],
    ['category', { ...pet, categoryId: 2 }],
    ['status', { ...pet, status: 'pending' }],
    ['status, because the repetition has none,', { name: pet.name, categoryId: pet.categoryId }],
  ])('a repeated creation with another %s is refused', async (_, another) => {
    const store = await app.makeProject()
    await store.post('/v1/pets', pet, { 'idempotency-key': 'k' })

    const refused = await store.post('/v1/pets', another, { 'idempotency-key': 'k' })

    expect(refused.json).toMatchObject({ code: 'idempotency_mismatch', status: 422 })
    expect(ids(await store.get('/v1/pets'))).toHaveLength(1)
  })

  it('the same Idempotency-Key makes a new pet in another project and for another API key', async () => {
    const [store, other] = [await app.makeProject(), await app.makeProject()]
    const headers = { 'idempotency-key': 'k' }
    await store.post('/v1/pets', pet, headers)

    await other.post('/v1/pets', { ...pet, name: 'Moritz' }, headers)
    await store.post('/v1/pets', pet, { 'idempotency-key': 'l' })

    expect(ids(await other.get('/v1/pets'))).toHaveLength(1)
    expect(ids(await store.get('/v1/pets'))).toHaveLength(2)
  })

  it('a repeated creation gets the first answer for 24 hours, even if old keys are purged, and then makes a new pet', async () => {
    const store = await app.makeProject()
    const { db } = app.tools
    const again = () => store.post('/v1/pets', pet, { 'idempotency-key': 'k' })
    const countStored = () => db.idempotentCreation.count({ where: { projectId: store.project.id } })
    const first = await again()

    clock.advance(24 * hour - minute)
    await forgetOldCreations(db, clock)
    expect((await again()).text).toBe(first.text)

    clock.advance(2 * minute)
    expect((await again()).text).not.toBe(first.text)
    expect(ids(await store.get('/v1/pets'))).toHaveLength(2)

    await forgetOldCreations(db, clock)
    expect(await countStored()).toBe(1)
    clock.advance(24 * hour + minute)
    await forgetOldCreations(db, clock)
    expect(await countStored()).toBe(0)
  })

  it('the background job purges expired Idempotency-Keys', async () => {
    const store = await app.makeProject()
    await store.post('/v1/pets', pet, { 'idempotency-key': 'k' })
    const countStored = () =>
      app.tools.db.idempotentCreation.count({ where: { projectId: store.project.id } })

    clock.advance(24 * hour + minute)
    expect(await countStored()).toBe(1)
    await forgetIdempotencyKeys(app.tools.db, clock).run(null, new AbortController().signal)

    expect(await countStored()).toBe(0)
  })

  it('a creation with two Idempotency-Keys is refused, and makes nothing', async () => {
    const store = await app.makeProject()

    const refused = await store.ask('/v1/pets', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': ['a', 'b'] },
      body: JSON.stringify(pet),
    })

    expect(refused.json).toMatchObject({
      code: 'invalid_input',
      details: [{ field: 'Idempotency-Key', message: 'must be given once' }],
    })
    expect(ids(await store.get('/v1/pets'))).toEqual([])
  })

  it.each(['', '""', 'x'.repeat(256), 'käse'])('the Idempotency-Key %j is refused', async key => {
    const store = await app.makeProject()

    const refused = await store.post('/v1/pets', pet, {
      'idempotency-key': Buffer.from(key).toString('latin1'),
    })

    expect(refused.json).toMatchObject({ code: 'invalid_input', details: [{ field: 'Idempotency-Key' }] })
  })

  it.each([' a  b', '~!{}', 'a"b', '"', 'x'.repeat(255)])(
    'the Idempotency-Key %j is accepted with quotes around it or without',
    async key => {
      const store = await app.makeProject()
      const add = (given: string) => store.post('/v1/pets', pet, { 'idempotency-key': given })

      const first = await add(`"${key}"`)
      const again = await add(key)

      expect([first.status, again.status]).toEqual([201, 201])
      // Leading and trailing spaces are not part of a header's value.
      if (key === key.trim()) expect(again.text).toBe(first.text)
    },
  )

  it('one hundred concurrent creations over two processes make one pet', async ({ skip }) => {
    const { databaseUrl } = app.tools.config
    if (!databaseUrl)
      return skip('PostgreSQL is not installed: two processes cannot share the embedded database')
    const second = await startApp({ env: { DATABASE_URL: databaseUrl }, clock })
    const store = await app.makeProject()
    const bearer = {
      authorization: `Bearer ${store.secret}`,
      'content-type': 'application/json',
      'idempotency-key': 'once',
    }

    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        (i % 2 ? second : app).ask('/v1/pets', {
          method: 'POST',
          headers: bearer,
          body: JSON.stringify(pet),
        }),
      ),
    )

    const made = answers.filter(answer => answer.status === 201)
    expect(made.length).toBeGreaterThan(0)
    expect(new Set(made.map(answer => answer.text)).size).toBe(1)
    expect(new Set(answers.map(answer => answer.status)).difference(new Set([201, 409])).size).toBe(0)
    expect(ids(await store.get('/v1/pets'))).toHaveLength(1)
    await second.stop()
  })
})
