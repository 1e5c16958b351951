import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { movableClock } from '../support/clock.ts'
import { graphqlOf, sendGraphql } from '../support/graphql.ts'
import { type App, startApp } from '../support/start-app.ts'

const operatorKey = 'operator-of-the-budgets-0123456789abcdef'
let app: App
let now = Date.parse('2029-03-04T05:06:07.890Z')
beforeAll(async () => {
  const clock = { ...movableClock(), now: () => now, aheadMs: () => now - Date.now() }
  app = await startApp({ clock, env: { OPERATOR_KEY: operatorKey } })
})
afterAll(() => app.stop())

/**
 * Rounds times to seconds: while the service counts requests in memory, the ends of the windows follow the machine's
 * clock, and the machine's clock does not stand still during the test.
 */
const toSecond = (at: string) => Math.round(Date.parse(at) / 1000)
const inMs = (ms: number) => Math.round((now + ms) / 1000)
const window = '{ limit remaining resetAt }'
const budget = `{ id plan minute ${window} day ${window} management ${window} ban { endsAt retryAfterSeconds } }`

test('rateLimit shows the limit, the remaining requests and the end of each window', async () => {
  const own = await app.makeProject({ plan: 'enterprise', perMinute: 7, perDay: 70 })
  const send = graphqlOf(app, own)
  await send('{ pets { nodes { id } } }')
  now += 1_500
  await send('{ plans { name } a: plans { name } pets { nodes { id } } }')
  now += 2_000

  const { data } = await send(`{ rateLimit ${budget} }`)

  const { minute, day, management, ...rest } = data.rateLimit
  expect(rest).toEqual({ id: `budget_${own.project.slug}`, plan: 'enterprise', ban: null })
  expect(
    [minute, day, management].map(({ resetAt, ...counts }) => ({ ...counts, ends: toSecond(resetAt) })),
  ).toEqual([
    { limit: 7, remaining: 5, ends: inMs(60_000 - 3_500) },
    { limit: 70, remaining: 68, ends: inMs(86_400_000 - 3_500) },
    { limit: 300, remaining: 298, ends: inMs(60_000 - 2_000) },
  ])
  const { project } = (await send(`{ project { rateLimit ${budget} } }`)).data
  expect(project.rateLimit).toMatchObject({ minute: { remaining: 5 }, management: { remaining: 297 } })
})

test('a ban shows its end and the seconds until then, rounded up', async () => {
  const own = await app.makeProject({ plan: 'enterprise', perMinute: 1, perDay: 70 })
  const other = await own.issueKey()
  const look = async (who = own) =>
    (await graphqlOf(app, who)('{ rateLimit { ban { endsAt retryAfterSeconds } } }')).data.rateLimit.ban
  let attempts = 0
  while ((await look()) === null && ++attempts < 20) await own.get('/v1/pets')
  const banMs = app.tools.config.ban.seconds * 1000

  now += 500
  const { endsAt, retryAfterSeconds } = await look()
  expect(toSecond(endsAt)).toBe(inMs(banMs - 500))
  expect(retryAfterSeconds).toBe(banMs / 1000)
  expect(await look(other)).toBeNull()
  now += banMs - 1_000
  expect((await look()).retryAfterSeconds).toBe(1)
  now += 1_000
  expect(await look()).toBeNull()
})

describe('an operator', () => {
  test('an operator reads several projects’ own usage, keys, limits and budgets in one operation', async () => {
    const [one, two] = [
      await app.makeProject({ plan: 'pro' }),
      await app.makeProject({ plan: 'enterprise', perMinute: 8, perDay: 80 }),
    ]
    const second = await two.issueKey()
    for (const [who, times] of [
      [one, 1],
      [two, 2],
      [second, 3],
    ] as const)
      for (let n = 0; n < times; n++) await who.get('/v1/pets')
    await app.tools.usageCounter.flush()
    const use = 'requests doors { door requests }'
    const query = `query($one: String, $two: String) { one: project(slug: $one) { ...Shown } two: project(slug: $two) { ...Shown } }
      fragment Shown on Project {
        slug plan { name } limits { requestsPerMinute requestsPerDay } rateLimit { id minute { limit remaining } ban { endsAt } }
        usage(days: 1) { ${use} days { date requests } keys { key { id } ${use} } }
        few: usage(hours: 1) { requests hours { at requests } keys(first: 1) { key { id } } }
        apiKeys { nodes { id usage(days: 1) { requests } } }
      }`

    const { data } = await sendGraphql(app.url, operatorKey, query, {
      variables: { one: one.project.slug, two: two.project.slug },
    })

    const doors = (requests: number) => ({
      requests,
      doors: [
        { door: 'rest', requests },
        { door: 'graphql', requests: 0 },
        { door: 'mcp', requests: 0 },
      ],
    })
    const date = new Date(now).toISOString().slice(0, 10)
    const hour = `${new Date(now).toISOString().slice(0, 13)}:00:00.000Z`
    const of = (keyId: string, requests: number) => ({ key: { id: `key_${keyId}` }, ...doors(requests) })
    expect(data.one).toEqual({
      ...{ slug: one.project.slug, plan: { name: 'pro' } },
      limits: { requestsPerMinute: 300, requestsPerDay: 10_000 },
      rateLimit: { id: `budget_${one.project.slug}`, minute: { limit: 300, remaining: 299 }, ban: null },
      usage: { ...doors(1), days: [{ date, requests: 1 }], keys: [of(one.keyId, 1)] },
      few: { requests: 1, hours: [{ at: hour, requests: 1 }], keys: [{ key: { id: `key_${one.keyId}` } }] },
      apiKeys: { nodes: [{ id: `key_${one.keyId}`, usage: { requests: 1 } }] },
    })
    expect(data.two).toEqual({
      ...{ slug: two.project.slug, plan: { name: 'enterprise' } },
      limits: { requestsPerMinute: 8, requestsPerDay: 80 },
      rateLimit: { id: `budget_${two.project.slug}`, minute: { limit: 8, remaining: 3 }, ban: null },
      usage: { ...doors(5), days: [{ date, requests: 5 }], keys: [of(second.keyId, 3), of(two.keyId, 2)] },
      few: {
        requests: 5,
        hours: [{ at: hour, requests: 5 }],
        keys: [{ key: { id: `key_${second.keyId}` } }],
      },
      apiKeys: {
        nodes: [
          { id: `key_${second.keyId}`, usage: { requests: 3 } },
          { id: `key_${two.keyId}`, usage: { requests: 2 } },
        ],
      },
    })
  })
})
