import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { tagOfPet } from '../../src/core/pets/columns.ts'
import { codesOf, graphqlOf } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'
import { readUse } from '../support/use.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

async function storeWith(count: number, plan = 'business') {
  const store = await app.makeProject({ plan })
  const projectId = store.project.id
  const data = Array.from({ length: count }, (_, i) => ({ projectId, name: `Pet ${i}`, categoryId: 1n }))
  const made = await app.tools.db.pet.createManyAndReturn({ data })
  return { store, ids: made.map(({ id }) => String(id)), send: graphqlOf(app, store) }
}
const update = 'mutation($input: UpdatePetsInput!) { updatePets(input: $input) { updated ids } }'
const remove = 'mutation($input: DeletePetsInput!) { deletePets(input: $input) { deleted ids } }'
const remaining = async (store: TestProject) =>
  Number((await store.get('/v1/rate-limit')).headers['x-ratelimit-remaining'])
const statuses = async ({ project }: TestProject) =>
  (await app.tools.db.pet.findMany({ where: { projectId: project.id } })).map(({ status }) => status)

test.each([
  [1, 1],
  [100, 1],
  [101, 2],
  [1000, 10],
])('a bulk change of %i pets changes all of them and costs %i requests', async (count, cost) => {
  const { store, ids, send } = await storeWith(count)
  const before = await remaining(store)

  const changed = await send(update, { variables: { input: { ids, change: { status: 'sold' } } } })
  const between = await remaining(store)
  const deleted = await send(remove, { variables: { input: { filter: { status: 'sold' } } } })

  expect(changed.data).toEqual({ updatePets: { updated: count, ids } })
  expect([before - between, changed.headers['x-ratelimit-cost'] ?? '1']).toEqual([cost, String(cost)])
  expect(deleted.data).toEqual({ deletePets: { deleted: count, ids } })
  expect(between - (await remaining(store))).toBe(cost)
  expect(await statuses(store)).toEqual([])
})

test('a bulk change that the budget cannot pay gets a 429, costs nothing and changes nothing', async () => {
  const store = await app.makeProject({ plan: 'enterprise', perMinute: 5, perDay: 100 })
  const projectId = store.project.id
  const data = Array.from({ length: 450 }, (_, i) => ({ projectId, name: `Pet ${i}`, categoryId: 1n }))
  const ids = (await app.tools.db.pet.createManyAndReturn({ data })).map(({ id }) => String(id))
  const send = graphqlOf(app, store)
  await send('{ pets { nodes { id } } }')

  const answer = await send(update, { variables: { input: { ids, change: { status: 'sold' } } } })

  expect([answer.status, codesOf(answer)]).toEqual([429, ['rate_limited']])
  expect(await remaining(store)).toBe(4)
  expect(new Set(await statuses(store))).toEqual(new Set([null]))
})

test('invalid input of a bulk change is reported with its path, costs one request and changes nothing', async () => {
  const { store, ids, send } = await storeWith(300)
  const faultsOf = async (input: object) => {
    const before = await remaining(store)
    const { errors } = await send(update, { variables: { input } })
    const { code, details = [] } = errors[0]?.extensions ?? {}
    return [code, ...details.map(({ field }: { field: string }) => field), before - (await remaining(store))]
  }
  const change = { status: 'sold' }

  expect(await faultsOf({ change })).toEqual(['invalid_input', 'input.ids', 1])
  expect(await faultsOf({ ids, filter: { status: 'sold' }, change })).toEqual([
    'invalid_input',
    'input.ids',
    1,
  ])
  expect(await faultsOf({ ids: Array.from({ length: 1001 }, (_, n) => `${n}`), change })).toEqual([
    'invalid_input',
    'input.ids',
    1,
  ])
  expect(await faultsOf({ filter: {}, change })).toEqual(['invalid_input', 'input.filter', 1])
  const many = { projectId: store.project.id, name: 'Pet', categoryId: 2n }
  await app.tools.db.pet.createMany({ data: Array.from({ length: 1_001 }, () => many) })
  expect((await faultsOf({ filter: { categoryId: '2' }, change })).slice(0, 2)).toEqual([
    'invalid_input',
    'input.filter',
  ])
  expect(await faultsOf({ ids, change: {} })).toEqual(['invalid_input', 'input.change', 1])
  expect(await faultsOf({ ids, change: { name: '' } })).toEqual(['invalid_input', 'input.change.name', 1])
  expect(await faultsOf({ ids, etags: [{ id: ids[0], etag: 'a b' }], change })).toEqual([
    'invalid_input',
    'input.etags',
    1,
  ])
  expect(await faultsOf({ ids: [...ids.slice(0, 50), '999999999'], change })).toEqual(['pet_not_found', 1])
  expect(new Set(await statuses(store))).toEqual(new Set([null]))
})

test('a bulk change refuses a null in its filter; a null instead of ids, etags or a filter means that there is none', async () => {
  const { store, ids, send } = await storeWith(2)
  const change = { status: 'sold' }
  const changed = async (input: object) =>
    (await send(update, { variables: { input } })).data?.updatePets?.updated

  const filters = [
    { status: null, categoryId: '1' },
    { categoryId: null, name: 'Pet' },
    { categoryId: '1', name: null },
  ]
  for (const filter of filters) expect(await changed({ filter, change })).toBeUndefined()
  const withVariable =
    'mutation($status: PetStatus) { petsDelete(input: { filter: { status: $status, categoryId: 1 } }) { deleted } }'
  expect(codesOf(await send(withVariable, { variables: { status: null } }))).toEqual(['invalid_input'])
  expect(await statuses(store)).toEqual([null, null])

  expect(await changed({ ids, etags: null, filter: null, change })).toBe(2)
  expect(await changed({ ids: null, etags: null, filter: { categoryId: '1' }, change })).toBe(2)
  expect((await send(withVariable)).data.petsDelete).toEqual({ deleted: 2 })
})

test('a bulk change answers with the new etag of each pet, which the next bulk change can send', async () => {
  const { ids, send } = await storeWith(3)
  const change = (input: object) =>
    send('mutation($input: PetsUpdateInput!) { petsUpdate(input: $input) { updatedIds etags } }', {
      variables: { input },
    })
  const turned = ids.toReversed()

  const first = await change({ ids: turned, change: { status: 'sold' } })
  const { nodes } = (await send('{ pets { nodes { id etag } } }')).data.pets
  const etags = nodes.map(({ id, etag }: { id: string; etag: string }) => ({ id, etag }))
  const next = await change({ ids, etags, change: { status: null } })

  expect(first.data.petsUpdate).toEqual({
    updatedIds: turned,
    etags: etags.map(({ etag }: { etag: string }) => etag).toReversed(),
  })
  expect(next.data.petsUpdate.updatedIds).toEqual(ids)
})

test('if one pet has changed since its etag was read, a bulk change changes no pet', async () => {
  const { store, ids, send } = await storeWith(2)
  const { data } = await send('{ pets { nodes { id etag } } }')
  const etags = data.pets.nodes
  await store.patch(`/v1/pets/${ids[1]}`, { name: 'Other' })

  const stale = await send(remove, { variables: { input: { ids, etags } } })
  const fresh = await send(remove, { variables: { input: { ids, etags: etags.slice(0, 1) } } })

  expect(codesOf(stale)).toEqual(['precondition_failed'])
  expect(fresh.data).toEqual({ deletePets: { deleted: 2, ids } })
})

test.each([
  ['a plain field', (fields: string) => `mutation($ids: [ID!]) { ${fields} }`],
  ['an inline fragment', (fields: string) => `mutation($ids: [ID!]) { ... on Mutation { ${fields} } }`],
  [
    'a named fragment',
    (fields: string) => `mutation($ids: [ID!]) { ...Both } fragment Both on Mutation { ${fields} }`,
  ],
])(
  'a bulk change by filter in %s finds the pets that an earlier mutation changed, and is charged for them',
  async (_, write) => {
    const { store, ids, send } = await storeWith(250)
    const before = await remaining(store)

    const answer = await send(
      write(`
        first: updatePets(input: { ids: $ids, change: { status: sold } }) { updated }
        second: deletePets(input: { filter: { status: sold } }) { deleted }`),
      { variables: { ids } },
    )

    expect(answer.data).toEqual({ first: { updated: 250 }, second: { deleted: 250 } })
    expect([before - (await remaining(store)), answer.headers['x-ratelimit-cost']]).toEqual([6, '6'])
  },
)

test('X-RateLimit-Cost includes the cost of management fields, even if a bulk change affects more pets than was estimated', async () => {
  const { store, ids, send } = await storeWith(250)

  const answer = await send(
    `mutation($ids: [ID!], $key: ID!) {
      named: apiKeyRename(input: { id: $key, name: "Renamed" }) { apiKey { name } }
      first: updatePets(input: { ids: $ids, change: { status: sold } }) { updated }
      second: deletePets(input: { filter: { status: sold } }) { deleted } }`,
    { variables: { ids, key: `key_${store.keyId}` } },
  )

  expect(answer.data).toMatchObject({ named: { apiKey: { name: 'Renamed' } }, second: { deleted: 250 } })
  expect(answer.headers['x-ratelimit-cost']).toBe('7')
})

test('a bulk change by filter beyond the budget gets a 429, and the search for its pets is charged to the remaining budget', async () => {
  const store = await app.makeProject({ plan: 'enterprise', perMinute: 5, perDay: 100 })
  const projectId = store.project.id
  const data = Array.from({ length: 2_100 }, (_, i) => ({ projectId, name: `Pet ${i}`, categoryId: 1n }))
  await app.tools.db.pet.createMany({ data })
  const send = graphqlOf(app, store)
  for (let n = 0; n < 3; n++) await send('{ pets { nodes { id } } }')

  const refuse = () => send(remove, { variables: { input: { filter: { name: 'Pet' } } } })
  const answers = [await refuse(), await refuse()]

  expect(answers.map(answer => [answer.status, ...codesOf(answer)])).toEqual([
    [429, 'rate_limited'],
    [429, 'rate_limited'],
  ])
  expect(answers.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['0', '0'])
  const use = { served: 3, faulty: 2, failed: 0, refusals: 2 }
  await expect.poll(() => readUse(app, store)).toEqual(use)
})

test('if the budget cannot pay a later bulk change of an operation, usage still counts the earlier bulk changes', async () => {
  const store = await app.makeProject({ plan: 'enterprise', perMinute: 5, perDay: 100 })
  const projectId = store.project.id
  const data = Array.from({ length: 250 }, (_, i) => ({ projectId, name: `Pet ${i}`, categoryId: 1n }))
  const ids = (await app.tools.db.pet.createManyAndReturn({ data })).map(({ id }) => String(id))

  const answer = await graphqlOf(app, store)(
    `mutation($ids: [ID!]) {
      first: updatePets(input: { ids: $ids, change: { status: sold } }) { updated }
      second: deletePets(input: { filter: { status: sold } }) { deleted } }`,
    { variables: { ids } },
  )

  expect([answer.data, codesOf(answer)]).toEqual([
    { first: { updated: 250 }, second: null },
    ['rate_limited'],
  ])
  expect(await remaining(store)).toBe(1)
  const use = { served: 0, faulty: 4, failed: 0, refusals: 1 }
  await expect.poll(() => readUse(app, store)).toEqual(use)
})

/** Makes a store with this many requests left, and with pets. 2,100 pets cost three requests to search. */
async function storeWithLeft(left: number, count = 2_100) {
  const store = await app.makeProject({ plan: 'enterprise', perMinute: 10, perDay: 100 })
  const projectId = store.project.id
  const data = Array.from({ length: count }, (_, i) => ({ projectId, name: `Pet ${i}`, categoryId: 1n }))
  await app.tools.db.pet.createMany({ data })
  for (let n = left; n < 10; n++) await store.get('/v1/pets/1')
  return store
}

/** Runs `send` and counts the statements that search pets. */
async function countSearches<Answer>(
  send: () => Promise<Answer>,
  statement = 'list_pets_by_name',
): Promise<[Answer, number]> {
  const spy = vi.spyOn(app.tools.database, 'run')
  const answer = await send()
  const searches = spy.mock.calls.filter(([{ name }]) => name === statement).length
  spy.mockRestore()
  return [answer, searches]
}
const byName = 'petsDelete(input: { filter: { name: "zebulon" } }) { deleted }'

test('bulk changes by name in one operation search no pets once the budget is used up', async () => {
  const store = await storeWithLeft(3)

  const [answer, searches] = await countSearches(() =>
    graphqlOf(app, store)(`mutation { a: ${byName} b: ${byName} c: ${byName} }`),
  )

  expect([answer.status, codesOf(answer), searches]).toEqual([429, ['rate_limited'], 1])
  expect(answer.headers['x-ratelimit-cost']).toBe('7')
  expect(await remaining(store)).toBe(0)
})

test('bulk changes by category that get a 429 pay one request for each field whose pets were read', async () => {
  const store = await storeWithLeft(5, 250)
  const byCategory = 'petsDelete(input: { filter: { categoryId: 1 } }) { deleted }'
  const refuse = () =>
    countSearches(
      () => graphqlOf(app, store)(`mutation { a: ${byCategory} b: ${byCategory} }`),
      'list_pets_by_category',
    )

  const refused = [await refuse(), await refuse(), await refuse(), await refuse()]

  expect(
    refused.map(([{ status, headers }, searches]) => [status, headers['x-ratelimit-remaining'], searches]),
  ).toEqual([
    [429, '3', 2],
    [429, '1', 2],
    [429, '0', 1],
    [429, '0', 0],
  ])
  expect(await statuses(store)).toHaveLength(250)
})

test('bulk changes by name after an invalid bulk change search no pets that the budget cannot pay', async () => {
  const store = await storeWithLeft(7)

  const [answer, searches] = await countSearches(() =>
    graphqlOf(
      app,
      store,
    )(`mutation { a: petsDelete(input: { ids: [] }) { deleted } b: ${byName} c: ${byName} d: ${byName} }`),
  )

  expect([answer.data, codesOf(answer), searches]).toEqual([
    { a: null, b: { deleted: 0 }, c: null, d: null },
    ['invalid_input', 'rate_limited', 'rate_limited'],
    1,
  ])
  expect([await remaining(store), answer.headers['x-ratelimit-cost']]).toEqual([1, '6'])
})

test('a bulk change with a stale etag costs as much as a change of the pets that have etags', async () => {
  const { store, ids, send } = await storeWith(250)
  const pets = await app.tools.db.pet.findMany({
    where: { projectId: store.project.id },
    orderBy: { id: 'asc' },
  })
  const etags = pets.map(pet => ({ id: String(pet.id), etag: tagOfPet(pet) }))
  const before = await remaining(store)

  const stale = await send(remove, {
    variables: { input: { ids, etags: etags.with(249, { id: `${ids[249]}`, etag: 'x' }) } },
  })
  const between = await remaining(store)
  const fresh = await send(remove, { variables: { input: { ids, etags } } })

  expect([codesOf(stale), fresh.data]).toEqual([
    ['precondition_failed'],
    { deletePets: { deleted: 250, ids } },
  ])
  expect([before - between, between - (await remaining(store))]).toEqual([3, 3])
})

test('X-Explain-Cost: 1 reports what a bulk change costs; with only, it reports the cost of a change by ids', async () => {
  const { ids, send } = await storeWith(250)
  const explain = async (selection: object, header: string) => {
    const input = { ...selection, change: { status: 'sold' } }
    const { headers, extensions } = await send(update, {
      variables: { input },
      headers: { 'x-explain-cost': header },
    })
    return [extensions.cost, headers['x-ratelimit-cost']]
  }
  const cost = (storeRequests: number) => expect.objectContaining({ storeRequests, managementRequests: 0 })
  const filter = { categoryId: '1' }

  expect(await explain({ ids }, '1')).toEqual([cost(3), '3'])
  expect(await explain({ filter }, '1')).toEqual([cost(3), '3'])
  expect(await explain({ ids }, 'only')).toEqual([cost(3), undefined])
  expect(await explain({ filter }, 'only')).toEqual([cost(1), undefined])
  expect(await explain({ ids: [] }, 'only')).toEqual([cost(1), undefined])
})

test.each<[string, (ids: string[]) => string, number]>([
  [
    'bulk changes by ids',
    ids => {
      const change = `updatePets(input: { ids: ${JSON.stringify(ids)}, change: { status: sold } }) { updated }`
      return `mutation { a: ${change} b: ${change} }`
    },
    4,
  ],
  [
    'bulk changes by category',
    () => {
      const change = 'updatePets(input: { filter: { categoryId: 1 }, change: { status: sold } }) { updated }'
      return `mutation { a: ${change} b: ${change} }`
    },
    3,
  ],
  ['lists', () => `{ ${Array.from({ length: 6 }, (_, n) => `a${n}: pets { nodes { id } }`).join(' ')} }`, 4],
])(
  'an operation of %s that costs more than the plan allows in a minute is refused as too complex',
  async (_, operation, left) => {
    const store = await app.makeProject({ plan: 'enterprise', perMinute: 5, perDay: 100 })
    const projectId = store.project.id
    const data = Array.from({ length: 250 }, (_, i) => ({ projectId, name: `Pet ${i}`, categoryId: 1n }))
    const ids = (await app.tools.db.pet.createManyAndReturn({ data })).map(({ id }) => String(id))

    const refused = await graphqlOf(app, store)(operation(ids))

    expect(codesOf(refused)).toEqual(['operation_too_complex'])
    expect(refused.errors[0]?.message).toContain('costs 6 requests; the plan allows 5 a minute')
    expect([refused.headers['retry-after'], await remaining(store)]).toEqual([undefined, left])
    expect(new Set(await statuses(store))).toEqual(new Set([null]))
  },
)
