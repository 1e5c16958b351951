import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { chargesCountedIn } from '../support/charges-counted.ts'
import { freshRedis } from '../support/databases.ts'
import { graphqlOf } from '../support/graphql.ts'
import { findProgram } from '../support/programs.ts'
import { type Service, startRedis } from '../support/services.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

describe.runIf(findProgram('redis-server'))('a bug in the limiter', () => {
  let app: App
  let redis: Redis
  beforeAll(async () => {
    const url = (await freshRedis()) ?? ''
    app = await startApp({ env: { REDIS_URL: url } })
    redis = new Redis(url)
  })
  afterAll(async () => {
    redis.disconnect()
    await app.stop()
  })

  const ways: [string, (store: TestProject) => Promise<unknown>][] = [
    ['a string instead of a hash', ({ project }) => redis.set(`animal-store:{${project.id}}`, 'broken')],
    [
      'a letter instead of a number',
      ({ project }) =>
        redis.hset(`animal-store:{${project.id}}`, 'minute', 'x', 'minuteEnds', Date.now() + 9000),
    ],
  ]
  it.each(ways)(
    'if the limiter finds %s in Redis for a project, REST and GraphQL return and log a 500, and serve other projects',
    async (_what, spoil) => {
      const store = await app.makeProject()
      await spoil(store)
      const line = vi.spyOn(app.tools.log, 'error').mockImplementation(() => {})
      const inMemory = chargesCountedIn('memory', app)

      // Plain fetch: `ask` checks answers against the contract, which does not describe bugs.
      const rest = await fetch(`${app.url}/v1/pets`, { headers: { authorization: `Bearer ${store.secret}` } })
      const graphql = await graphqlOf(app, store)('{ pets { nodes { id } } }')

      expect(await rest.json()).toMatchObject({ status: 500, code: 'internal_error' })
      expect(graphql.status).toBe(500)
      expect(graphql.errors).toMatchObject([{ extensions: { code: 'internal_error' } }])
      expect(line.mock.calls.map(([, message]) => message)).toEqual(['unhandled error', 'unhandled error'])
      expect(chargesCountedIn('memory', app)).toBe(inMemory)
      expect((await app.readiness()).json).toMatchObject({ limiter: 'exact' })
      expect((await (await app.makeProject()).get('/v1/pets')).status).toBe(200)
      line.mockRestore()
    },
  )
})

describe.runIf(findProgram('redis-server'))('a process with a wrong clock', () => {
  let redis: Service
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())

  it.each([
    ['an hour ahead', 3_600_000],
    ['an hour behind', -3_600_000],
  ])(
    'a process with a wrong clock returns the right wait and the right end of the window: %s',
    async (_how, wrong) => {
      const clock = { now: () => Date.now() + wrong, aheadMs: () => 0 }
      const app = await startApp({ env: { REDIS_URL: redis.url }, clock })
      const store = await app.makeProject({ perMinute: 1 })
      await store.get('/v1/pets')

      const refused = await store.get('/v1/pets')

      expect(refused.status).toBe(429)
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50)
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
      expect(refused.headers.ratelimit).toMatch(/^"minute";r=0;t=[56]\d, "day";r=\d+;t=86[34]\d\d$/)
      const resetIn = Number(refused.headers['x-ratelimit-reset']) - Date.now() / 1000
      expect(resetIn).toBeGreaterThan(50)
      expect(resetIn).toBeLessThanOrEqual(61)
      await app.stop()
    },
  )
})

describe.runIf(findProgram('redis-server'))('a read-only Redis', () => {
  it('requests are accepted while Redis refuses writes, and /readyz says that each process counts alone', async ({
    onTestFinished,
  }) => {
    const redis = await startRedis()
    const app = await startApp({ env: { REDIS_URL: redis.url } })
    const admin = new Redis(redis.url)
    onTestFinished(async () => {
      admin.disconnect()
      await app.stop()
      await redis.stop()
    })
    const store = await app.makeProject()
    await store.get('/v1/pets')

    await admin.config('SET', 'maxmemory', '1')
    const statuses = [(await store.get('/v1/pets')).status, (await store.get('/v1/pets')).status]
    const during = await app.readiness()
    await admin.config('SET', 'maxmemory', '0')

    expect(statuses).toEqual([200, 200])
    expect(during.json).toMatchObject({ status: 'ready', limiter: 'counting in memory until Redis returns' })
    const health = async () => (await app.readiness()).json
    await expect.poll(health).toMatchObject({ limiter: 'exact' })
  })
})
