import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { untilHourHasRoom } from '../support/clock.ts'
import { limiters, thrice } from '../support/limiters.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

describe.each(limiters)('concurrent projects, $counting', ({ redisEnv }) => {
  let app: App
  beforeEach(untilHourHasRoom)
  beforeAll(async () => {
    app = await startApp({ env: await redisEnv() })
  })
  afterAll(() => app.stop())

  /** Makes a store with pets, a category and an order. The names of the pets and of the category contain `name`. */
  async function makeStore(name: string) {
    const store = await app.makeProject()
    const projectId = store.project.id
    const { db } = app.tools
    const data = [1, 2, 3].map(n => ({ projectId, name: `${name} number ${n}`, categoryId: 1n }))
    const [pet] = await db.pet.createManyAndReturn({
      data: data.map(pet => ({ ...pet, status: 'available' })),
    })
    await db.category.create({ data: { projectId, id: 1n, name: `Kind of ${name}` } })
    if (!pet) throw new Error('no pet was made')
    const order = await db.order.create({
      data: { projectId, petId: pet.id, petName: pet.name, categoryId: 1n, reference: 'r-1' },
    })
    return { ...store, name, petId: pet.id, orderId: order.id }
  }
  type Store = Awaited<ReturnType<typeof makeStore>>
  const makeStores = () => Promise.all(['Luna', 'Rex', 'Milo'].map(makeStore))

  const everywhere = [
    '/v1/pets?limit=2',
    '/v1/pets?status=available&name=number',
    '/v1/pets?sort=-id&categoryId=1',
    '/v1/pets/export',
    '/v1/categories',
    '/v1/categories/1',
    '/v1/store/orders',
    '/v1/store/orders?reference=r-1',
  ]
  const ownPaths = ({ petId, orderId }: Store) => [`/v1/pets/${petId}`, `/v1/store/orders/${orderId}`]

  it('each project sees only its own store, and other stores look missing', async () => {
    const stores = await makeStores()
    for (const path of everywhere) {
      const rounds = await thrice(() => Promise.all(stores.map(store => store.get(path))))
      for (const answers of rounds) {
        answers.forEach(({ status, text }, i) => {
          const shown = stores.map(({ name }) => text.includes(name))
          expect([path, status, ...shown]).toEqual([path, 200, ...stores.map((_, j) => i === j)])
        })
      }
    }
    for (const owner of stores) {
      for (const path of ownPaths(owner)) {
        const rounds = await thrice(() => Promise.all(stores.map(store => store.get(path))))
        for (const answers of rounds) {
          expect([path, answers.map(({ status }) => status)]).toEqual([
            path,
            stores.map(store => (store === owner ? 200 : 404)),
          ])
        }
      }
    }
  })

  it('a suspended project reads nothing more, and other projects continue', async () => {
    const stores = await makeStores()
    const [one, ...others] = stores as [Store, ...Store[]]
    const ask = (store: Store) =>
      Promise.all([...everywhere, ...ownPaths(store)].map(path => store.get(path)))
    await thrice(() => Promise.all(stores.map(ask)))

    await app.tools.db.project.update({ where: { id: one.project.id }, data: { suspendedAt: new Date() } })
    await expect.poll(async () => (await one.get('/v1/pets?limit=2')).status, { timeout: 5000 }).toBe(403)

    for (const answers of await thrice(() => ask(one))) {
      for (const { json, text } of answers) {
        expect(json).toMatchObject({ code: 'project_suspended' })
        expect(text).not.toContain(one.name)
      }
    }
    for (const other of others) {
      for (const answers of await thrice(() => ask(other)))
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    }
  })

  it('a key reads only what its scopes allow, whatever other keys of its project have read', async () => {
    const store = await makeStore('Luna')
    const keys = {
      '/v1/pets?limit=2': await store.issueKey(['pets:write', 'orders:read']),
      [`/v1/pets/${store.petId}`]: await store.issueKey(['pets:write', 'orders:read']),
      '/v1/categories/1': await store.issueKey(['pets:write', 'orders:read']),
      [`/v1/store/orders/${store.orderId}`]: await store.issueKey(['pets:read', 'orders:write']),
    }

    for (const [path, lacking] of Object.entries(keys)) {
      const rounds = await thrice(() => Promise.all([store.get(path), lacking.get(path), store.get(path)]))
      for (const [one, refused, other] of rounds) {
        expect([path, one?.status, refused?.status, other?.status]).toEqual([path, 200, 403, 200])
        expect(refused?.json).toMatchObject({ code: 'insufficient_scope' })
        expect(refused?.text).not.toContain('Luna')
      }
    }
  })

  it('each request is counted once, for its project and its key', async () => {
    const stores = await makeStores()
    const others = await Promise.all(stores.map(store => store.issueKey()))
    const all: TestProject[] = [...stores, ...others]

    for (const path of ['/v1/pets?limit=2', '/v1/pets/1', '/v1/categories']) {
      await thrice(() => Promise.all(all.map(who => who.get(path))))
    }
    await app.tools.usageCounter.flush()

    const counts = { requests: 9n, refusals: 0n, faulty: 3n, failed: 0n }
    for (const { keyId, project } of all) {
      const use = await app.tools.db.keyUsage.findMany({ where: { apiKeyId: keyId } })
      expect(use).toMatchObject([{ projectId: project.id, door: 'rest', ...counts }])
    }
    for (const { project } of stores) {
      expect(await app.tools.db.usage.findMany({ where: { projectId: project.id } })).toMatchObject([
        { door: 'rest', ...counts, requests: 18n, faulty: 6n },
      ])
    }
  })
})
