import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { movableClock } from '../support/clock.ts'
import { ids } from '../support/ids.ts'
import { linesOf, manyPets, sendImport } from '../support/import.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const clock = movableClock()
let app: App
beforeAll(async () => {
  app = await startApp({ clock })
})
afterAll(() => app.stop())

const once = { 'idempotency-key': 'once' }
const body = 'name,categoryId\nMax,1\nRex,2\n'
const others = 'name,categoryId\nMax,1\nRex,3\n'

const total = async (store: TestProject) =>
  ((await store.get('/v1/store/inventory')).json as { total: number }).total

const spent = async (store: TestProject) => {
  const { json } = await store.get('/v1/rate-limit')
  const [minute] = (json as { windows: { limit: number; remaining: number }[] }).windows
  return minute ? minute.limit - minute.remaining : null
}

describe('an import repeated under its Idempotency-Key', () => {
  it('a repeated import gets the same answer and adds nothing, even in the other format', async () => {
    const store = await app.makeProject()

    const first = await sendImport(store, 'csv', body, once)
    const again = await sendImport(store, 'csv', body, once)
    const asJson = await sendImport(
      store,
      'ndjson',
      '{"categoryId":"1","name":"Max"}\n{"name":" Rex","categoryId":2}',
      once,
    )

    expect([first, again, asJson].map(({ headers }) => headers['idempotent-replayed'])).toEqual([
      undefined,
      'true',
      'true',
    ])
    expect([again.text, asJson.text]).toEqual([first.text, first.text])
    expect(ids(await store.get('/v1/pets'))).toHaveLength(2)
  })

  it('an Idempotency-Key is refused for an import of other pets, and for another kind of creation', async () => {
    const store = await app.makeProject()
    const { json } = await store.post(
      '/v1/pets',
      { name: 'Max', categoryId: 1 },
      { 'idempotency-key': 'pet' },
    )
    const order = { petId: (json as { id: number }).id }
    await store.post('/v1/store/orders', order, { 'idempotency-key': 'order' })
    await sendImport(store, 'csv', body, once)

    const refused = [
      await sendImport(store, 'csv', others, once),
      await sendImport(store, 'csv', 'name,categoryId\n', once),
      await sendImport(store, 'csv', 'name,categoryId\nMax,1\n', { 'idempotency-key': 'pet' }),
      await sendImport(store, 'csv', body, { 'idempotency-key': 'order' }),
      await store.post('/v1/pets', { name: 'Max', categoryId: 1 }, once),
      await store.post('/v1/store/orders', order, once),
    ]

    expect(refused.map(({ json }) => (json as { code: string }).code)).toEqual(
      Array(6).fill('idempotency_mismatch'),
    )
    expect(await total(store)).toBe(3)
  })

  it('an Idempotency-Key works again for any kind of creation after 24 hours', async () => {
    const store = await app.makeProject()
    const day = 24 * 3600 * 1000 + 1000
    const pet = { name: 'Max', categoryId: 1 }
    const kinds = [
      () => sendImport(store, 'csv', body, once),
      () => sendImport(store, 'csv', others, once),
      () => store.post('/v1/pets', pet, once),
      () => sendImport(store, 'csv', body, once),
    ]

    for (const send of kinds) {
      const [first, again] = [await send(), await send()]
      expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined])
      expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
      clock.advance(day)
    }

    expect(await total(store)).toBe(7)
  })

  it('a repeated import whose Idempotency-Key expires during the request adds nothing, and pays the whole price when it is repeated', async () => {
    const store = await app.makeProject()
    const pets = linesOf(manyPets(700))
    await sendImport(store, 'ndjson', pets, once)
    clock.advance(24 * 3600 * 1000 - 1000)
    const { longWork } = app.tools
    const { inOneProcess } = longWork
    const waiting = vi.spyOn(longWork, 'inOneProcess').mockImplementation((kind, project, run) => {
      clock.advance(2000)
      return inOneProcess(kind, project, run)
    })

    const late = await sendImport(store, 'ndjson', pets, once)
    waiting.mockRestore()
    const added = await total(store)
    const repeated = await sendImport(store, 'ndjson', pets, once)

    expect([late.status, late.headers['retry-after'], late.headers['x-ratelimit-cost']]).toEqual([
      409,
      '1',
      '1',
    ])
    expect(late.json).toMatchObject({ code: 'idempotency_in_flight' })
    expect(added).toBe(700)
    expect([repeated.status, repeated.headers['x-ratelimit-cost'], await total(store)]).toEqual([
      201,
      '7',
      1_400,
    ])
  })

  it('a repeated empty import gets the same answer', async () => {
    const store = await app.makeProject()
    await sendImport(store, 'ndjson', '', once)

    const again = await sendImport(store, 'ndjson', '', once)

    expect([again.status, again.json, again.headers['idempotent-replayed']]).toEqual([
      201,
      { imported: 0 },
      'true',
    ])
  })

  it('a faulty import does not use up its Idempotency-Key', async () => {
    const store = await app.makeProject()

    const faulty = await sendImport(store, 'csv', `${body},4\n`, once)
    const mended = await sendImport(store, 'csv', body, once)

    expect([faulty.status, mended.status, await total(store)]).toEqual([400, 201, 2])
  })

  it('thirty concurrent imports over two processes add the pets once', async ({ skip }) => {
    const { databaseUrl } = app.tools.config
    if (!databaseUrl)
      return skip('PostgreSQL is not installed: two processes cannot share the embedded database')
    const second = await startApp({ env: { DATABASE_URL: databaseUrl }, clock })
    const store = await app.makeProject()
    const headers = {
      authorization: `Bearer ${store.secret}`,
      'content-type': 'application/x-ndjson',
      ...once,
    }
    const pets = linesOf(manyPets(700))

    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        (i % 2 ? second : app).ask('/v1/pets/import', { method: 'POST', headers, body: pets }),
      ),
    )

    const made = answers.filter(({ status }) => status === 201)
    expect(new Set(made.map(({ text }) => text)).size).toBe(1)
    expect(new Set(answers.map(({ status }) => status)).difference(new Set([201, 409])).size).toBe(0)
    expect(await total(store)).toBe(700)
    const costs = answers.map(({ headers }) => Number(headers['x-ratelimit-cost']))
    expect(costs.toSorted()).toEqual([...Array(29).fill(1), 7])
    // Each process counts in its own memory, so add up only the costs at the first process. The request for the
    // inventory costs one more.
    const ofFirst = costs.filter((_, i) => i % 2 === 0).reduce((sum, cost) => sum + cost, 0)
    expect(await spent(store)).toBe(ofFirst + 1)
    await second.stop()
  })

  it('an import that is refused because its Idempotency-Key is in use costs one request', async ({
    skip,
  }) => {
    if (!app.tools.database.pool)
      return skip('the embedded database has one connection: nothing else can hold the key')
    const store = await app.makeProject()
    const { id } = store.project
    await store.get('/v1/rate-limit')

    const refused = await app.tools.db.$transaction(async tx => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${id}::int || ':once', 0))`
      return sendImport(store, 'ndjson', linesOf(manyPets(700)), once)
    })

    expect(refused.json).toMatchObject({ code: 'idempotency_in_flight' })
    expect(refused.headers['x-ratelimit-cost']).toBe('1')
    const left = Number(refused.headers['x-ratelimit-remaining'])
    expect(left).toBe(Number(refused.headers['x-ratelimit-limit']) - 1)
    const again = await sendImport(store, 'ndjson', linesOf(manyPets(700)), once)
    expect(again.headers['x-ratelimit-cost']).toBe('7')
    expect(Number(again.headers['x-ratelimit-remaining'])).toBe(left - 7)
  })
})
