import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codesOf, graphqlOf, sendGraphql } from '../support/graphql.ts'
import { limiters } from '../support/limiters.ts'
import { findProgram } from '../support/programs.ts'
import { startRedis } from '../support/services.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-of-the-tests-0123456789abcdef'
const ban = `mutation($id: ID!, $seconds: Int!) {
  banApiKey(input: { id: $id, seconds: $seconds }) {
    apiKey { id ban { retryAfterSeconds } } ban { endsAt retryAfterSeconds } inAllProcesses
  }
}`
const lift =
  'mutation($id: ID!) { liftBan(input: { id: $id }) { apiKey { id ban { endsAt } } wasBanned inAllProcesses } }'
const reset = `mutation($id: ID!) {
  resetRateLimit(input: { id: $id }) {
    project { slug rateLimit { minute { remaining } day { remaining } management { remaining } } } inAllProcesses
  }
}`
const ids = { unknown: 'key_00000000-0000-7000-8000-000000000000', malformed: 'key_1', other: 'project_x' }

describe.each(limiters)('bans and resets of limits by an operator, $counting', ({ counting, redisEnv }) => {
  let app: App
  beforeAll(async () => {
    app = await startApp({ env: { OPERATOR_KEY: operatorKey, ...(await redisEnv()) } })
  })
  afterAll(() => app.stop())
  const inAllProcesses = counting === 'with Redis'
  const asOperator = (query: string, variables?: unknown) =>
    sendGraphql(app.url, operatorKey, query, { variables })
  const keyId = ({ keyId }: TestProject) => `key_${keyId}`
  const statusOf = async (key: TestProject) => (await key.get('/v1/pets')).status

  test('a banned key is refused over REST and GraphQL until the operator lifts the ban, and other keys of the project are accepted', async () => {
    const store = await app.makeProject()
    const other = await store.issueKey()

    const { banApiKey } = (await asOperator(ban, { id: keyId(store), seconds: 3600 })).data

    expect(banApiKey).toMatchObject({ apiKey: { id: keyId(store) }, inAllProcesses })
    expect(banApiKey.ban.retryAfterSeconds).toBeGreaterThan(3590)
    expect(banApiKey.apiKey.ban.retryAfterSeconds).toBeGreaterThan(3590)
    expect(Math.abs(Date.parse(banApiKey.ban.endsAt) - Date.now() - 3_600_000)).toBeLessThan(60_000)
    const refused = await store.get('/v1/pets')
    expect(refused.json).toMatchObject({ code: 'key_banned', status: 429 })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3590)
    for (const query of ['{ pets { nodes { id } } }', '{ project { slug } }'])
      expect(codesOf(await graphqlOf(app, store)(query))).toEqual(['key_banned'])
    expect(await statusOf(other)).toBe(200)
    const shown = await graphqlOf(app, other)('{ apiKeys { nodes { id ban { endsAt } } } }')
    expect(shown.data.apiKeys.nodes).toEqual([
      { id: keyId(other), ban: null },
      { id: keyId(store), ban: { endsAt: banApiKey.ban.endsAt } },
    ])

    const lifted = [
      await asOperator(lift, { id: keyId(store) }),
      await asOperator(lift, { id: keyId(store) }),
    ]

    const apiKey = { id: keyId(store), ban: null }
    expect(lifted.map(({ data }) => data.liftBan)).toEqual([
      { apiKey, wasBanned: true, inAllProcesses },
      { apiKey, wasBanned: false, inAllProcesses },
    ])
    expect(await statusOf(store)).toBe(200)
  })

  test('a second ban replaces the first one', async () => {
    const store = await app.makeProject()

    await asOperator(ban, { id: keyId(store), seconds: 2_592_000 })
    const { data } = await asOperator(ban, { id: keyId(store), seconds: 10 })

    expect(data.banApiKey.apiKey.ban.retryAfterSeconds).toBeLessThanOrEqual(10)
  })

  test('a reset of a project’s limits restores the full budgets of the minute, the day and management, and lifts no ban of a key', async () => {
    const store = await app.makeProject({ perMinute: 3, perDay: 3 })
    const banned = await store.issueKey()
    for (let sent = 0; sent < 4; sent++) await store.get('/v1/pets')
    await graphqlOf(app, store)('{ project { slug } }')
    await asOperator(ban, { id: keyId(banned), seconds: 60 })
    expect(await statusOf(store)).toBe(429)

    const id = `project_${store.project.slug}`
    const answers = [await asOperator(reset, { id }), await asOperator(reset, { id })]

    const whole = { minute: { remaining: 3 }, day: { remaining: 3 }, management: { remaining: 300 } }
    for (const { data } of answers)
      expect(data.resetRateLimit).toEqual({
        project: { slug: store.project.slug, rateLimit: whole },
        inAllProcesses,
      })
    expect(await statusOf(store)).toBe(200)
    expect((await banned.get('/v1/pets')).json).toMatchObject({ code: 'key_banned' })
  })

  test.each([0, -1, 2_592_001, 2 ** 31 - 1])('a ban of %i seconds is refused', async seconds => {
    const store = await app.makeProject()

    const { errors } = await asOperator(ban, { id: keyId(store), seconds })

    expect(errors[0]?.extensions).toMatchObject({
      code: 'invalid_input',
      details: [{ field: 'input.seconds', message: 'must be from 1 to 2592000' }],
    })
    expect(await statusOf(store)).toBe(200)
  })

  test.each([
    ['an unknown key is not banned', ban, ids.unknown, 'api_key_not_found'],
    ['a malformed id of a key is not banned', ban, ids.malformed, 'api_key_not_found'],
    ['the ban of an unknown key is not lifted', lift, ids.unknown, 'api_key_not_found'],
    ['the id of a project is not accepted as the id of a key', lift, ids.other, 'api_key_not_found'],
    ['the limits of an unknown project are not reset', reset, ids.other, 'project_not_found'],
    ['the id of a key is not accepted as the id of a project', reset, ids.unknown, 'project_not_found'],
  ])('%s', async (_name, query, id, code) => {
    const variables = query === ban ? { id, seconds: 60 } : { id }

    expect(codesOf(await asOperator(query, variables))).toEqual([code])
  })

  test('a revoked key cannot be banned', async () => {
    const store = await app.makeProject()
    await asOperator(`mutation { revokeApiKey(id: "${keyId(store)}") { id } }`)

    expect(codesOf(await asOperator(ban, { id: keyId(store), seconds: 60 }))).toEqual(['api_key_ended'])
  })

  test("a project's key cannot ban a key, lift a ban or reset limits, in its own project or another", async () => {
    const [store, stranger] = [await app.makeProject({ perMinute: 5 }), await app.makeProject()]
    const other = await store.issueKey()
    await asOperator(ban, { id: keyId(other), seconds: 60 })
    for (let sent = 0; sent < 5; sent++) await store.get('/v1/pets')

    for (const key of [store, stranger])
      for (const [query, variables] of [
        [ban, { id: keyId(store), seconds: 60 }],
        [lift, { id: keyId(other) }],
        [reset, { id: `project_${store.project.slug}` }],
      ] as const)
        expect(codesOf(await graphqlOf(app, key)(query, { variables }))).toEqual(['insufficient_scope'])

    expect((await other.get('/v1/pets')).json).toMatchObject({ code: 'key_banned' })
    expect((await store.get('/v1/pets')).json).toMatchObject({ code: 'rate_limited' })
  })
})

test('while Redis is away, bans and resets of limits get 503, and no process applies them to its own counts only', async ({
  skip,
}) => {
  if (!findProgram('redis-server')) return skip('redis-server is not installed')
  const redis = await startRedis()
  const app = await startApp({ env: { OPERATOR_KEY: operatorKey, REDIS_URL: redis.url } })
  const store = await app.makeProject()
  const id = `key_${store.keyId}`

  await redis.stop()
  await expect.poll(() => app.tools.limiter.isExact()).toBe(false)
  for (const [query, variables] of [
    [ban, { id, seconds: 60 }],
    [lift, { id }],
    [reset, { id: `project_${store.project.slug}` }],
  ] as const) {
    const { errors } = await sendGraphql(app.url, operatorKey, query, { variables })
    expect(errors[0]?.extensions).toMatchObject({ code: 'unavailable', status: 503, retryAfterSeconds: 1 })
    expect(errors[0]?.message).toContain('Redis')
  }

  expect((await store.get('/v1/pets')).status).toBe(200)
  await app.stop()
})
