import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshRedis } from '../support/databases.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
/** With Redis, pages are kept. */
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
  ])('is refused, by the name that was meant: %s', async (query, meant) => {
    const address = `/v1/pets?limit=5&${query}`

    for (const refused of [await store.get(address), await store.get(address)]) {
      expect([refused.status, refused.json]).toMatchObject([
        400,
        {
          code: 'invalid_input',
          details: [{ field: meant, message: expect.stringMatching(/^is spelled so, not "/) }],
        },
      ])
    }
  })

  it('is told beside what else is wrong with the names, and of many the first ten', async () => {
    const both = await store.get('/v1/pets?statsu=sold&limit=1&limit=2')
    const many = await store.get(
      `/v1/pets?${Array.from({ length: 30 }, (_, i) => `limit[${i}${'%00'.repeat(99)}]=1`).join('&')}`,
    )

    expect(both.json).toMatchObject({ details: [{ field: 'status' }, { field: 'limit' }] })
    expect((many.json as { details: object[] }).details).toHaveLength(10)
    for (const [name, told] of [
      [`limit[${'x'.repeat(30)}]`, `limit[${'x'.repeat(18)}`],
      [`limit[${'x'.repeat(17)}🦊]`, `limit[${'x'.repeat(17)}\ufffd`],
    ] as const)
      expect((await store.get(`/v1/pets?${encodeURIComponent(name)}=1`)).json).toMatchObject({
        details: [{ field: 'limit', message: `is spelled so, not "${told}"` }],
      })
  })
})

describe('a parameter that is like none', () => {
  it.each([
    'nam=Max',
    'lim=1',
    'categories=2',
    'tamer=x',
    'staatus_es=x',
    `status${'_'.repeat(35)}=x`,
    'utm_source=x',
    'list=1',
    'order=name',
    'page=2',
    'offset=3',
    'fields[pets]=name',
    '_=1',
    '[]=1',
    '=',
    'l=1',
    '__proto__=1',
    'constructor=1',
  ])('is ignored: %s', async query => {
    const listed = await store.get(`/v1/pets?${query}`)

    expect([listed.status, listed.json]).toMatchObject([200, [{ name: 'Max' }]])
  })

  it('is ignored too where the known one belongs to another operation', async () => {
    const [{ id }] = (await store.get('/v1/pets')).json as [{ id: number }]

    expect((await store.get(`/v1/pets/${id}?statsu=sold`)).status).toBe(200)
    expect((await store.get('/v1/rate-limit?limit[]=1')).status).toBe(200)
  })
})
