import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { AnimalStore, etagOf } from '../../clients/typescript/src/index.ts'
import { tagOfPet } from '../../src/core/pets/columns.ts'
import { runHere } from '../support/run-command.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  store = await app.makeProject({ plan: 'business' })
})

type Status = 'available' | 'pending' | 'sold'

async function addPets(count: number, categoryId = 1n, status: Status | null = null, of = store) {
  const projectId = of.project.id
  const data = Array.from({ length: count }, (_, i) => ({ projectId, name: `Pet ${i}`, categoryId, status }))
  const made = await app.tools.db.pet.createManyAndReturn({ data })
  return made.map(({ id }) => Number(id))
}

const json = { 'content-type': 'application/json' }
const patchAll = (body: object) => store.patch('/v1/pets', body)
const deleteAll = (body: object) =>
  store.ask('/v1/pets', { method: 'DELETE', headers: json, body: JSON.stringify(body) })
const statuses = async () =>
  (await app.tools.db.pet.findMany({ where: { projectId: store.project.id }, orderBy: { id: 'asc' } })).map(
    ({ status }) => status,
  )
const remaining = async () => Number((await store.get('/v1/rate-limit')).headers['x-ratelimit-remaining'])

it.each([
  [101, 1],
  [100, 3],
])('of three requests that change %i pets each, %i run at once in the database', async (count, atOnce) => {
  // With a large budget, three requests need not wait for each other while other projects are at work.
  store = await app.makeProject({ perMinute: 60_000 })
  const ids = await addPets(3 * count)
  const { database } = app.tools
  const run = database.run
  let [running, most] = [0, 0]
  const spy = vi.spyOn(database, 'run').mockImplementation(async statement => {
    if (statement.name !== 'update_pets_in_bulk') return run(statement)
    most = Math.max(most, ++running)
    return run(statement).finally(() => running--)
  })
  const answers = await Promise.all(
    [0, 1, 2].map(n => patchAll({ ids: ids.slice(n * count, (n + 1) * count), change: { status: 'sold' } })),
  )
  spy.mockRestore()

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(most).toBe(atOnce)
})

it.each(['PATCH', 'DELETE'])(
  '%s of several pets refuses a body of another media type and a body that is too large',
  async method => {
    const send = (type: string, body: string) =>
      store.ask('/v1/pets', { method, headers: { 'content-type': type }, body })

    expect((await send('text/plain', '{"ids":[1]}')).json).toMatchObject({
      code: 'unsupported_media_type',
      status: 415,
    })
    expect((await send('application/json', `{"ids":[${'1,'.repeat(40_000)}1]}`)).status).toBe(413)
  },
)

describe('a change of several pets', () => {
  it('a change of several pets changes every listed id, is visible at once over REST and GraphQL, and returns the ids', async () => {
    const ids = await addPets(5)
    await store.get('/v1/pets')

    const { status, json } = await patchAll({ ids: [ids[3], String(ids[1])], change: { status: 'sold' } })

    expect([status, json]).toEqual([200, { updated: 2, ids: [ids[3], ids[1]] }])
    expect(((await store.get('/v1/pets?status=sold')).json as object[]).length).toBe(2)
    expect(await statuses()).toEqual([null, 'sold', null, 'sold', null])
    expect((await store.get('/v1/store/inventory')).json).toMatchObject({ sold: 2, total: 5 })
  })

  it('a change by filter changes all matching pets, and no pet of another project', async () => {
    const other = await app.makeProject()
    await addPets(2, 7n, 'sold', other)
    await addPets(3, 7n, 'sold')
    await addPets(2, 8n, 'sold')

    const changed = await patchAll({ filter: { categoryId: 7, status: 'sold' }, change: { status: null } })
    const none = await patchAll({ filter: { name: 'no such' }, change: { status: null } })

    expect(changed.json).toMatchObject({ updated: 3 })
    expect(none.json).toEqual({ updated: 0, ids: [] })
    expect(await statuses()).toEqual([null, null, null, 'sold', 'sold'])
    expect(((await other.get('/v1/pets?status=sold')).json as object[]).length).toBe(2)
  })

  it.each([
    ['missing', 404, 'pet_not_found'],
    ['in an open order', 409, 'pet_in_order'],
    ['changed since', 412, 'precondition_failed'],
  ])('a change of several pets changes no pet if one of them is %s', async (what, status, code) => {
    const ids = await addPets(3, 1n, 'available')
    const tags = await Promise.all(
      ids.map(async id => ({ id, etag: String((await store.get(`/v1/pets/${id}`)).headers.etag) })),
    )
    if (what === 'missing') await store.delete(`/v1/pets/${ids[2]}`)
    if (what === 'in an open order') await store.post('/v1/store/orders', { petId: ids[2] })
    if (what === 'changed since') {
      await store.patch(`/v1/pets/${ids[2]}`, { name: 'Other' })
      await store.patch(`/v1/pets/${ids[2]}`, { name: 'Pet 2' })
    }
    const before = await statuses()

    const etags = what === 'changed since' ? tags : []
    const changed = await patchAll({ ids, etags, change: { status: 'sold' } })
    const deleted = await deleteAll({ ids, etags })

    for (const refused of [changed, deleted])
      expect([refused.status, refused.json]).toMatchObject([status, { code }])
    expect(await statuses()).toEqual(before)
  })

  it('a change of several pets accepts the ETags of the pets with or without quotes', async () => {
    const ids = await addPets(2)
    const tag = async (id?: number) => String((await store.get(`/v1/pets/${id}`)).headers.etag)
    const etags = [
      { id: ids[0], etag: await tag(ids[0]) },
      { id: String(ids[1]), etag: (await tag(ids[1])).replaceAll('"', '') },
    ]

    expect((await patchAll({ ids, etags, change: { status: 'sold' } })).status).toBe(200)
    expect((await patchAll({ ids, etags, change: { status: 'sold' } })).status).toBe(412)
  })

  it.each([
    [{ change: { status: 'sold' } }, 'ids'],
    [{ ids: [1], filter: { status: 'sold' }, change: { status: 'sold' } }, 'ids'],
    [{ ids: [], change: { status: 'sold' } }, 'ids'],
    [{ ids: [1, 1], change: { status: 'sold' } }, 'ids'],
    [{ ids: [1, '1'], change: { status: 'sold' } }, 'ids'],
    [{ ids: [1.5], change: { status: 'sold' } }, 'ids'],
    [{ ids: 1, change: { status: 'sold' } }, 'ids'],
    [{ ids: Array.from({ length: 1_001 }, (_, i) => i + 1), change: { status: 'sold' } }, 'ids'],
    [{ ids: [1], etags: [{ id: 2, etag: 'x' }], change: { status: 'sold' } }, 'etags'],
    [{ ids: [1], etags: [{ id: 1 }], change: { status: 'sold' } }, 'etags'],
    [
      {
        ids: [1, 2],
        etags: [
          { id: 1, etag: 'x' },
          { id: '1', etag: 'y' },
        ],
        change: { status: 'sold' },
      },
      'etags',
    ],
    [{ filter: { status: 'sold' }, etags: [], change: { status: 'sold' } }, 'etags'],
    [{ filter: {}, change: { status: 'sold' } }, 'filter'],
    [{ filter: { utm: 1 }, change: { status: 'sold' } }, 'filter'],
    [{ filter: { status: 'lost' }, change: { status: 'sold' } }, 'status'],
    [{ filter: { stauts: 'sold' }, change: { status: 'sold' } }, 'status'],
    [{ filters: { status: 'sold' }, change: { status: 'sold' } }, 'filter'],
    [{ filter: { status: null, categoryId: 1 }, change: { status: 'sold' } }, 'status'],
    [{ filter: { categoryId: null, name: 'pet' }, change: { status: 'sold' } }, 'categoryId'],
    [{ filter: { categoryId: 1, name: null }, change: { status: 'sold' } }, 'name'],
    [{ filter: { categoryId: [1] }, change: { status: 'sold' } }, 'categoryId'],
    [{ filter: null, change: { status: 'sold' } }, 'filter'],
    [{ ids: [1], filter: null, change: { status: 'sold' } }, 'ids'],
    [{ ids: null, filter: { categoryId: 1 }, change: { status: 'sold' } }, 'ids'],
    [{ ids: [1], etags: null, change: { status: 'sold' } }, 'etags'],
    [{ filter: { categoryId: 1 }, status: 'sold', change: { status: 'sold' } }, 'status'],
    [{ ids: [1] }, 'change'],
    [{ ids: [1], change: {} }, 'change'],
    [{ ids: [1], change: { stauts: 'sold' } }, 'status'],
    [{ ids: [1], change: { name: '' } }, 'name'],
  ])('an invalid change of several pets is refused: %j', async (body, field) => {
    const before = await remaining()

    const { status, json } = await patchAll(body)

    expect([status, json]).toMatchObject([400, { code: 'invalid_input', details: [{ field }] }])
    expect(before - (await remaining())).toBe(1)
  })

  it.each([
    { filter: { status: null, categoryId: 1 } },
    { filter: { categoryId: 1 }, status: 'sold' },
    { filter: { categoryId: 1 }, name: null },
  ])(
    'a deletion is refused if a filter is null or outside of `filter`, and deletes nothing: %j',
    async body => {
      await addPets(2)

      expect((await deleteAll(body)).status).toBe(400)
      expect((await statuses()).length).toBe(2)
    },
  )

  it('a change of several pets is refused if a parameter would have no effect', async () => {
    await addPets(2, 1n, 'sold')
    const refused = await store.ask('/v1/pets?status=sold', {
      method: 'DELETE',
      headers: json,
      body: '{"ids":[1]}',
    })

    expect([refused.status, (await statuses()).length]).toEqual([400, 2])
  })

  it.each(['If-Match', 'If-None-Match'])(
    'a change of several pets refuses the header %s, because the service would ignore the ETag in the header',
    async header => {
      const [id] = await addPets(1, 1n, 'sold')
      for (const method of ['PATCH', 'DELETE']) {
        const body = JSON.stringify({ ids: [Number(id)], change: { status: 'available' } })
        const refused = await store.ask('/v1/pets', { method, headers: { ...json, [header]: '"x"' }, body })

        const details = [
          { field: header, message: 'has no effect here; give the tags as `etags` in the body' },
        ]
        expect([refused.status, refused.json]).toMatchObject([400, { details }])
      }
      expect(await statuses()).toEqual(['sold'])
    },
  )
})

describe('a deletion of several pets', () => {
  it('a deletion removes every listed id, or every match of a filter, permanently', async () => {
    const ids = await addPets(3)
    await addPets(2, 9n, 'sold')

    expect((await deleteAll({ ids: ids.slice(0, 2) })).json).toEqual({ deleted: 2, ids: ids.slice(0, 2) })
    expect((await deleteAll({ filter: { status: 'sold' } })).json).toMatchObject({ deleted: 2 })
    expect(((await store.get('/v1/pets')).json as { id: number }[]).map(({ id }) => id)).toEqual([ids[2]])
  })
})

describe('the requests that a change of several pets costs', () => {
  it('a change of several pets costs one request for each begun hundred pets, as its header says', async () => {
    const ids = await addPets(1_000)
    const before = await remaining()

    const few = await patchAll({ ids: ids.slice(0, 100), change: { status: 'sold' } })
    const more = await patchAll({ ids: ids.slice(0, 101), change: { status: 'sold' } })
    const all = await deleteAll({ filter: { categoryId: 1 } })

    const costs = [few, more, all].map(({ headers }) => Number(headers['x-ratelimit-cost']))
    expect(costs).toEqual([1, 2, 10])
    expect(before - (await remaining())).toBe(13)
    expect(all.json).toMatchObject({ deleted: 1_000 })
  })

  it('a deletion whose filter matches more than a thousand pets is refused, costs one request and deletes nothing', async () => {
    await addPets(1_001)
    const before = await remaining()

    const { status, json } = await deleteAll({ filter: { categoryId: 1 } })

    expect([status, json]).toMatchObject([400, { details: [{ field: 'filter' }] }])
    expect(before - (await remaining())).toBe(1)
    expect((await statuses()).length).toBe(1_001)
  })

  it('a deletion by name that matches too many pets is refused, and is still charged for the pets that were read', async () => {
    await addPets(2_100)
    const before = await remaining()

    expect((await deleteAll({ filter: { name: 'pet' } })).status).toBe(400)
    expect(before - (await remaining())).toBe(3)
  })
})

describe('the charge for reading the pets of a change of several pets', () => {
  const remainingOf = async (of: TestProject) =>
    Number((await of.get('/v1/rate-limit')).headers['x-ratelimit-remaining'])

  it('concurrent deletions by name do not read pets for a budget that is used up', async () => {
    const limited = await app.makeProject({ plan: 'enterprise', perMinute: 5, perDay: 100 })
    await addPets(2_100, 1n, null, limited)
    for (let n = 0; n < 4; n++) await limited.get('/v1/pets/1')
    const spy = vi.spyOn(app.tools.database, 'run')
    const body = JSON.stringify({ filter: { name: 'zebulon' } })

    const answers = await Promise.all(
      Array.from({ length: 5 }, () => limited.ask('/v1/pets', { method: 'DELETE', headers: json, body })),
    )
    const reads = spy.mock.calls.filter(([{ name }]) => name === 'list_pets_by_name')
    spy.mockRestore()

    expect(answers.map(({ status }) => status)).toEqual([429, 429, 429, 429, 429])
    expect([reads.length, await remainingOf(limited)]).toEqual([1, 0])
  })

  it.each<[string, (ids: number[], etag: string) => object]>([
    ['by category', () => ({ filter: { categoryId: 1 } })],
    ['with an ETag', (ids, etag) => ({ ids, etags: [{ id: ids[0], etag }] })],
  ])(
    'a deletion %s that the budget cannot pay gets a 429 and pays one request for reading',
    async (_, selection) => {
      const limited = await app.makeProject({ plan: 'enterprise', perMinute: 5, perDay: 100 })
      const ids = await addPets(450, 1n, null, limited)
      const { etag } = (await limited.get(`/v1/pets/${ids[0]}`)).headers
      const body = JSON.stringify(selection(ids, String(etag)))
      const refuse = () => limited.ask('/v1/pets', { method: 'DELETE', headers: json, body })

      const answers = [await refuse(), await refuse()]

      expect(answers.map(({ status, headers }) => [status, headers['x-ratelimit-remaining']])).toEqual([
        [429, '3'],
        [429, '2'],
      ])
      expect(await remainingOf(limited)).toBe(2)
    },
  )

  it('a deletion by name that finds few pets is charged once for the pets that were read', async () => {
    await addPets(2_100)
    const before = await remaining()

    const { status, headers } = await deleteAll({ filter: { name: 'pet 2099' } })

    expect([status, headers['x-ratelimit-cost'], before - (await remaining())]).toEqual([200, '3', 3])
  })

  it('a change with a stale ETag costs as much as a change of the pets that have ETags, and a change that succeeds costs no more', async () => {
    const ids = await addPets(250)
    const pets = await app.tools.db.pet.findMany({
      where: { projectId: store.project.id },
      orderBy: { id: 'asc' },
    })
    const etags = pets.map(pet => ({ id: Number(pet.id), etag: tagOfPet(pet) }))
    const before = await remaining()

    const stale = await patchAll({
      ...{ ids, change: { status: 'sold' } },
      etags: etags.with(249, { id: ids[249] ?? 0, etag: 'x' }),
    })
    const between = await remaining()
    const fresh = await patchAll({ ids, etags, change: { status: 'sold' } })

    expect([stale.status, fresh.status]).toEqual([412, 200])
    expect([stale, fresh].map(({ headers }) => headers['x-ratelimit-cost'])).toEqual(['3', '3'])
    expect([before - between, between - (await remaining())]).toEqual([3, 3])
  })
})

it('concurrent changes of the same pets are each applied whole, without deadlocks', async () => {
  const ids = await addPets(40)
  const all = Array.from({ length: 12 }, (_, n) =>
    patchAll({ ids: n % 2 ? ids : ids.toReversed(), change: { name: `Change ${n}` } }),
  )

  expect((await Promise.all(all)).map(({ status }) => status)).toEqual(all.map(() => 200))
  const names = await app.tools.db.pet.findMany({
    where: { projectId: store.project.id },
    distinct: ['name'],
  })
  expect(names).toHaveLength(1)
})

it('the typed client and the command line change and delete several pets', async () => {
  const ids = await addPets(6, 1n, 'available')
  const client = new AnimalStore({ url: app.url, key: store.secret })
  const first = await client.pets.update(BigInt(ids[0] ?? 0), { name: 'First' })
  const etags = [{ id: first.id, etag: etagOf(first) }]
  const env = { ANIMAL_STORE_URL: app.url, ANIMAL_STORE_KEY: store.secret }
  const [, , two, three] = ids.map(String)

  expect(await client.pets.updateMany({ ids: [first.id], etags, change: { status: 'sold' } })).toEqual([
    first.id,
  ])
  const stale = client.pets.deleteMany({ ids: [first.id], etags })
  await expect(stale).rejects.toMatchObject({ code: 'precondition_failed' })
  const updated = await runHere(env, ['pets', 'update', `${two}`, `${three}`, '--category', '5'])
  expect([updated.exitCode, updated.output]).toEqual([0, '2 pets changed.\n'])
  const withoutYes = await runHere(env, ['pets', 'delete', '--where', 'category=5'])
  expect([withoutYes.exitCode, withoutYes.errors]).toEqual([
    2,
    'All pets with category 5 will be deleted for good. Add --yes to do it without confirmation.\n',
  ])
  const deleted = await runHere(env, ['pets', 'delete', '--where', 'category=5', '--yes', '--json'])
  expect(JSON.parse(deleted.output)).toEqual({ deleted: 2, ids: [two, three] })
  const both = await runHere(env, ['pets', 'remove', '1', '--where', 'category=5', '--yes'])
  expect([both.exitCode, both.errors]).toEqual([2, 'Choose pets either by their ids or by --where.\n'])
  const filters = ['--where', 'category=5', '--where', 'name=Pet', '--where', 'name=cat']
  const twice = await runHere(env, ['pets', 'remove', ...filters, '--yes'])
  expect([twice.exitCode, twice.errors]).toEqual([2, expect.stringContaining('Give name only once.')])
})
