import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../support/contract-document.ts'
import { freshRedis } from '../support/databases.ts'
import { sendImport } from '../support/import.ts'
import { lowestOf } from '../support/lowest.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

type Reads = Record<string, { get?: { parameters?: { in: string; name: string }[] } }>

const parametersOfReads = [
  ...new Set(
    Object.values(contract.paths as Reads)
      .flatMap(({ get }) => get?.parameters ?? [])
      .filter(parameter => parameter.in === 'query')
      .map(({ name }) => name),
  ),
]

let app: App
let store: TestProject
/** Pages are cached only with Redis. */
beforeAll(async () => {
  const redisUrl = await freshRedis()
  app = await startApp({ env: redisUrl ? { REDIS_URL: redisUrl } : {} })
  store = await app.makeProject()
  await store.post('/v1/pets', { name: 'Max', categoryId: 1, status: 'available' })
})
afterAll(() => app.stop())

describe('a parameter that is nearly a known one', () => {
  it.each([
    ['statsu=sold', 'status'],
    ['statuss=sold', 'status'],
    ['statuses=sold', 'status'],
    ['state=sold', 'status'],
    ['Status=sold', 'status'],
    ['STATUS', 'status'],
    ['sta_tus=sold', 'status'],
    ['status%20=sold', 'status'],
    ['status[]=sold', 'status'],
    ['status%5B0%5D=sold', 'status'],
    ['status[eq]=sold', 'status'],
    ['filter[status]=sold', 'status'],
    ['filter[statsu][]=sold', 'status'],
    ['limit[]=1', 'limit'],
    ['limits=1', 'limit'],
    ['limt=1', 'limit'],
    ['naem=x', 'name'],
    ['sotr=id', 'sort'],
    ['page[limit]=1', 'limit'],
    ['Cursor=x', 'cursor'],
    ['curser=x', 'cursor'],
    ['n-a-me=x', 'name'],
    ['n.a.me=x', 'name'],
    ['n%0Aa%0Ame=x', 'name'],
    ['category=1', 'categoryId'],
    ['lmiit=1', 'limit'],
    [`status${'_'.repeat(34)}=x`, 'status'],
    ['namee=x', 'name'],
    [`limit[${'%0D%0A%00%ED%A0%80'.repeat(9)}]=1`, 'limit'],
  ])('a misspelled parameter is refused with a suggestion: %s', async (query, meant) => {
    const address = `/v1/pets?limit=5&${query}`

    for (const refused of [await store.get(address), await store.get(address)]) {
      expect([refused.status, refused.json]).toMatchObject([
        400,
        {
          code: 'invalid_input',
          details: [{ field: meant, message: expect.stringMatching(/^must be spelled "\w+", not "/) }],
        },
      ])
    }
  })

  it('all misspelled parameters are reported together with other faults, up to ten', async () => {
    const both = await store.get('/v1/pets?statsu=sold&limit=1&limit=2')
    const many = await store.get(
      `/v1/pets?${Array.from({ length: 30 }, (_, i) => `limit[${i}${'%00'.repeat(99)}]=1`).join('&')}`,
    )

    expect(both.json).toMatchObject({ details: [{ field: 'status' }, { field: 'limit' }] })
    expect((many.json as { details: object[] }).details).toHaveLength(10)
    for (const [name, spelling] of [
      [`limit[${'x'.repeat(30)}]`, `limit[${'x'.repeat(18)}`],
      [`limit[${'x'.repeat(17)}🦊]`, `limit[${'x'.repeat(17)}\ufffd`],
    ] as const)
      expect((await store.get(`/v1/pets?${encodeURIComponent(name)}=1`)).json).toMatchObject({
        details: [{ field: 'limit', message: `must be spelled "limit", not "${spelling}"` }],
      })
  })
})

describe('an unknown parameter', () => {
  it.each([
    'nam=Max',
    'lim=1',
    'categories=2',
    'tamer=x',
    'staatus_es=x',
    `status${'_'.repeat(35)}=x`,
    'utm_source=x',
    'list=1',
    'ordinal=name',
    'fields[pets]=name',
    '_=1',
    '[]=1',
    '=',
    'l=1',
    '__proto__=1',
    'constructor=1',
  ])('an unknown parameter is ignored: %s', async query => {
    const listed = await store.get(`/v1/pets?${query}`)

    expect([listed.status, listed.json]).toMatchObject([200, [{ name: 'Max' }]])
  })

  it('a parameter that resembles only a parameter of another operation is ignored', async () => {
    const [{ id }] = (await store.get('/v1/pets')).json as [{ id: number }]

    expect((await store.get(`/v1/pets/${id}?statsu=sold`)).status).toBe(200)
    expect((await store.get('/v1/rate-limit?limit[]=1')).status).toBe(200)
  })
})

describe('a page parameter with the name that other services use', () => {
  it.each([
    ...[
      'page=2',
      'page[number]=2',
      'offset=3',
      'skip=3',
      'after=x',
      'before=x',
      'pageToken=x',
      'starting_after=7',
      'next=x',
      'prev=x',
    ].map(query => [query, 'cursor']),
    ...['per_page=5', 'perPage=5', 'pageSize=5', 'page[size]=5', 'count=5', 'take=5', 'last=5'].map(query => [
      query,
      'limit',
    ]),
    ...['sortBy=id', 'sort_by=id', 'orderBy=id', 'order=id', 'order_by=-id'].map(query => [query, 'sort']),
  ])('a page parameter of another service is refused with the name of ours: %s', async (query, meant) => {
    const { status, json } = await store.get(`/v1/pets?limit=5&${query}`)

    expect([status, json]).toMatchObject([400, { code: 'invalid_input', details: [{ field: meant }] }])
    expect((json as { message: string }).message).toContain(
      meant === 'cursor' ? 'follow the Link header' : meant,
    )
  })

  it.each(['page=2', 'offset=3', 'cursor=x', 'pageToken=x'])(
    'the list of events refuses the page parameters of other lists and names its own: %s',
    async query => {
      expect((await store.get(`/v1/events?${query}`)).json).toMatchObject({
        details: [{ field: 'after', message: expect.stringMatching(/^continues a list here/) }],
      })
    },
  )

  it.each(['/v1/categories', '/v1/store/orders'])(
    'every list refuses the page parameters of other services: %s',
    async path => {
      expect((await store.get(`${path}?offset=3`)).json).toMatchObject({ details: [{ field: 'cursor' }] })
      expect((await store.get(`${path}?sortBy=id`)).json).toMatchObject({ details: [{ field: 'sort' }] })
    },
  )
})

describe('a parameter of another operation', () => {
  it.each([
    ['/v1/pets/export?limit=5', 'limit'],
    ['/v1/pets/export?sort=-id', 'sort'],
    ['/v1/pets/export?cursor=x', 'cursor'],
    ['/v1/pets/export?page=2', 'cursor'],
    ['/v1/pets?format=csv', 'format'],
    ['/v1/pets?reference=x', 'reference'],
    ['/v1/store/orders?categoryId=1', 'categoryId'],
    ['/v1/store/orders?sort=-id', 'sort'],
    ['/v1/categories?status=sold', 'status'],
    ['/v1/categories?sort=-id', 'sort'],
    ['/v1/store/inventory?status=sold', 'status'],
    ['/v1/categories/1?limit=5', 'limit'],
    ['/v1/store/orders/1?status=placed', 'status'],
    ['/v1/pets/1?status=sold', 'status'],
    ...parametersOfReads.map(name => [
      `/v1/store/inventory?${name}=x`,
      ['after', 'since'].includes(name) ? 'cursor' : name,
    ]),
  ])('a parameter without effect is refused and costs one request: %s', async (path, field) => {
    const before = await store.get('/v1/rate-limit')
    const { status, json, headers } = await store.get(path)

    expect([status, json]).toMatchObject([
      400,
      { details: [{ field, message: expect.stringMatching(/^has no effect here/) }] },
    ])
    const left = ({ headers }: typeof before) => Number(headers['x-ratelimit-remaining'])
    expect(left(before) - left({ ...before, headers })).toBe(1)
  })
})

it('the rate limit status refuses a parameter without effect and stays free', async () => {
  const before = await store.get('/v1/rate-limit')

  for (const [query, field] of [
    ['limit=5', 'limit'],
    ['page=2', 'cursor'],
    ['status=sold', 'status'],
  ])
    expect((await store.get(`/v1/rate-limit?${query}`)).json).toMatchObject({
      ...{
        code: 'invalid_input',
        details: [{ field, message: expect.stringMatching(/^has no effect here/) }],
      },
    })
  expect((await store.get('/v1/rate-limit')).json).toMatchObject({
    windows: (before.json as { windows: { remaining: number }[] }).windows.map(({ remaining }) => ({
      remaining,
    })),
  })
})

describe('a query with very many parameters', () => {
  it('a filter is used even after thousands of parameters', async () => {
    const query = `${'_&'.repeat(5_000)}status=sold`

    expect((await store.get(`/v1/pets?${query}`)).json).toEqual([])
    expect((await store.get(`/v1/pets/1?${query}`)).json).toMatchObject({ details: [{ field: 'status' }] })
  })

  it('a query with more than 200 different parameters is refused', async () => {
    const query = (count: number) => Array.from({ length: count }, (_, i) => `x${i}`).join('&')

    expect((await store.get(`/v1/pets?${query(200)}`)).status).toBe(200)
    expect((await store.get(`/v1/pets?${query(201)}`)).json).toMatchObject({
      ...{
        code: 'invalid_input',
        details: [{ field: 'query', message: 'must have at most 200 parameters' }],
      },
    })
  })
})

describe('a parameter of a write', () => {
  it.each([
    ['POST', '/v1/pets?status=sold', { name: 'Max', categoryId: 1 }, 'status'],
    ['PATCH', '/v1/pets/1?status=sold', { name: 'Max' }, 'status'],
    ['PATCH', '/v1/pets?status=sold', { ids: [1], change: { name: 'Max' } }, 'status'],
    ['DELETE', '/v1/pets/1?limit=1', undefined, 'limit'],
    ['POST', '/v1/pets/import?format=csv', 'name,categoryId\nMax,1', 'format'],
    ['PUT', '/v1/categories/1?name=Dogs', { name: 'Cats' }, 'name'],
    ['DELETE', '/v1/categories/1?name=Dogs', undefined, 'name'],
    ['POST', '/v1/store/orders?petId=1', { petId: 2 }, 'petId'],
    ['POST', '/v1/store/orders/1/cancel?status=placed', undefined, 'status'],
    ['POST', '/v1/webhooks?type=pet.created', { url: 'https://shop.example' }, 'type'],
  ])('a write refuses a parameter that only reads have: %s %s', async (method, path, body, field) => {
    const type = typeof body === 'string' ? 'text/csv' : 'application/json'
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const { status, json } = await store.ask(path, {
      method,
      headers: { 'content-type': type },
      ...(text && { body: text }),
    })

    expect([status, json]).toMatchObject([400, { details: [{ field, message: 'has no effect here' }] }])
  })
})

describe('a misspelled member of a body', () => {
  const put = (path: string, body: object) =>
    store.ask(path, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  it.each([
    [{ name: 'Max', categoryId: 1, stauts: 'sold' }, 'status', 'stauts'],
    [{ name: 'Max', categoryId: 1, Status: 'sold', status: 'sold' }, 'status', 'Status'],
    [{ Name: 'Max', categoryId: 1 }, 'name', 'Name'],
    [{ name: 'Max', category_id: 1 }, 'categoryId', 'category_id'],
    [{ name: 'Max', categoryID: 1 }, 'categoryId', 'categoryID'],
  ])(
    'new pets, changes and import lines refuse a misspelled member with a suggestion: %j',
    async (body, field, given) => {
      const [{ id }] = (await store.get('/v1/pets')).json as [{ id: number }]
      const answers = [
        await store.post('/v1/pets', body),
        await store.patch(`/v1/pets/${id}`, body),
        await sendImport(store, 'ndjson', JSON.stringify(body)),
      ]

      for (const { status, json } of answers) {
        const message = `must be spelled "${field}", not "${given}"`
        expect([status, json]).toMatchObject([400, { code: 'invalid_input', details: [{ field, message }] }])
      }
    },
  )

  it('orders and categories refuse a misspelled member', async () => {
    expect((await store.post('/v1/store/orders', { petId: 1, refrence: 'x' })).json).toMatchObject({
      details: [{ field: 'reference' }],
    })
    expect((await put('/v1/categories/1', { names: 'Dogs' })).json).toMatchObject({
      details: [{ field: 'name' }],
    })
  })

  it('only the first ten misspelled members are reported', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`name${'_'.repeat(i + 1)}`, 'x']))
    const others = { id: 7, nam: 'x', petCount: 1, utm_source: 'x', __proto__: 1, constructor: 1 }

    const { json } = await store.post('/v1/pets', { ...many, ...others })

    expect((json as { details: object[] }).details).toHaveLength(10)
    expect((await store.post('/v1/pets', { ...others, name: 'Max', categoryId: 1 })).status).toBe(201)
  })

  it('only the first five parts of a name with brackets are compared with the known names', async () => {
    const answersFor = async (name: string) => [
      (await store.get(`/v1/pets?${name}=x`)).status,
      (await store.post('/v1/pets', { name: 'Max', categoryId: 1, [name]: 'x' })).status,
    ]

    expect(await answersFor('filter[pet][statsu]')).toEqual([400, 400])
    expect(await answersFor(`${'other['.repeat(5)}statsu`)).toEqual([200, 201])
  })

  it('an import with 500,000 different unknown members costs less than four times as much as with 1,000 repeated unknown members', async () => {
    const line = (member: (i: number) => string, n: number) =>
      JSON.stringify({
        name: 'x',
        categoryId: 1,
        ...Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [member(n * 1_000 + i), 0])),
      })
    const cost = async (member: (i: number) => string) => {
      const body = Array.from({ length: 500 }, (_, n) => line(member, n)).join('\n')
      const before = process.cpuUsage()
      expect((await sendImport(store, 'ndjson', body)).status).toBe(201)
      const { user, system } = process.cpuUsage(before)
      return user + system
    }

    // Each round uses new JSON keys, because keys that an earlier round sent are cheaper to parse.
    const ratio = await lowestOf(4, 4, async round => {
      const same = await cost(i => `other${round}${(i % 1_000).toString(36)}`)
      return (await cost(i => `oth${round}${i.toString(36)}`)) / same
    })

    expect(ratio).toBeLessThan(4)
  })
})
