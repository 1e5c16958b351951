import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { untilHourHasRoom } from '../support/clock.ts'
import { codesOf, graphqlOf, sendGraphql } from '../support/graphql.ts'
import { limiters } from '../support/limiters.ts'
import { type App, startApp } from '../support/start-app.ts'
import { countStatements } from '../support/statements.ts'

const operatorKey = 'operator-of-the-tests-0123456789abcdef'
const counts = 'requests refusals served faulty failed'
const nothing = { requests: 0, refusals: 0, served: 0, faulty: 0, failed: 0 }

describe.each(limiters)('$counting', ({ redisEnv }) => {
  let app: App
  beforeEach(untilHourHasRoom)
  beforeAll(async () => {
    app = await startApp({ env: { OPERATOR_KEY: operatorKey, ...(await redisEnv()) } })
  })
  afterAll(() => app.stop())

  test('usage counts requests and their outcomes by key, REST or GraphQL, hour and day', async () => {
    const owner = await app.makeProject({ plan: 'enterprise', perMinute: 9, perDay: 100 })
    const other = await owner.issueKey()
    for (let i = 0; i < 3; i++) expect((await owner.get('/v1/pets')).status).toBe(200)
    for (let i = 0; i < 2; i++) expect((await owner.get('/v1/store/orders/77')).status).toBe(404)
    // A missing table is the store's own failure, so both requests are refunded.
    await app.tools.db.$executeRawUnsafe('ALTER TABLE orders RENAME TO orders_away')
    expect((await owner.get('/v1/store/orders/77')).status).toBe(503)
    expect((await graphqlOf(app, other)('{ order(id: "order_77") { id } }')).status).toBe(200)
    await app.tools.db.$executeRawUnsafe('ALTER TABLE orders_away RENAME TO orders')
    await graphqlOf(app, other)('{ pets { nodes { id } } }')
    // One error makes the whole operation count as faulty.
    await graphqlOf(app, other)('{ pets { nodes { id } } order(id: "order_77") { id } }')
    expect((await owner.get('/v1/pets')).status).toBe(200)
    expect((await owner.get('/v1/pets')).status).toBe(429)
    await app.tools.usageCounter.flush()

    const within = `${counts} doors { door ${counts} }`
    const ask = (span: string) =>
      `{ project(slug: "${owner.project.slug}") { usage(${span}) { ${within}
       days { date ${within} } hours { at ${within} }
       keys { key { id } ${within} days { date ${within} } hours { at ${within} } }
    } } }`
    const ofOwner = {
      doors: [
        { door: 'rest', requests: 7, refusals: 1, served: 4, faulty: 2, failed: 1 },
        { door: 'graphql', ...nothing },
        { door: 'mcp', ...nothing },
      ],
      ...{ requests: 7, refusals: 1, served: 4, faulty: 2, failed: 1 },
    }
    const ofOther = {
      doors: [
        { door: 'rest', ...nothing },
        { door: 'graphql', requests: 4, refusals: 0, served: 1, faulty: 2, failed: 1 },
        { door: 'mcp', ...nothing },
      ],
      ...{ requests: 4, refusals: 0, served: 1, faulty: 2, failed: 1 },
    }
    const all = {
      doors: [ofOwner.doors[0], ofOther.doors[1], ofOther.doors[2]],
      ...{ requests: 11, refusals: 1, served: 5, faulty: 4, failed: 2 },
    }
    const byOwner = (span: string) => graphqlOf(app, owner)(ask(span))
    const byOperator = (span: string) => sendGraphql(app.url, operatorKey, ask(span))

    for (const send of [byOwner, byOperator]) {
      for (const [span, steps, none] of [
        ['days: 2', 'days', 'hours'],
        ['hours: 3', 'hours', 'days'],
      ] as const) {
        const { usage } = (await send(span)).data.project
        expect(usage).toMatchObject({ ...all, [none]: [] })
        expect(usage[steps].at(-1)).toMatchObject(all)
        expect(usage[steps].at(0)).toMatchObject(nothing)
        expect(usage.keys).toMatchObject([
          { key: { id: `key_${owner.keyId}` }, ...ofOwner },
          { key: { id: `key_${other.keyId}` }, ...ofOther },
        ])
        expect(usage.keys[1][steps].at(-1)).toMatchObject(ofOther)
        expect(usage.keys[1][none]).toEqual([])
      }
    }
  })

  test('hours of usage begin at full hours, and days at midnight in UTC', async () => {
    const send = graphqlOf(app, await app.makeProject())

    const { data } = await send(
      '{ byDay: usage(days: 3) { days { date } } byHour: usage(hours: 48) { hours { at } } }',
    )

    const now = Date.now()
    expect(data.byDay.days.map((day: { date: string }) => day.date)).toEqual(
      [2, 1, 0].map(ago => new Date(now - ago * 86_400_000).toISOString().slice(0, 10)),
    )
    expect(data.byHour.hours).toHaveLength(48)
    expect(data.byHour.hours.at(-1).at).toBe(`${new Date(now).toISOString().slice(0, 13)}:00:00.000Z`)
  })

  test('if one operation has several usage fields, each field shows the days or hours that it asks for', async () => {
    const owner = await app.makeProject()
    const other = await owner.issueKey()
    for (const who of [owner, owner, other]) await who.get('/v1/pets')
    await app.tools.usageCounter.flush()
    const keys = (most: number) => `keys(first: ${most}) { requests }`

    const { data } = await graphqlOf(
      app,
      owner,
    )(`{
      one: usage(days: 1) { days { requests } ${keys(1)} } three: usage(days: 3) { days { requests } ${keys(2)} }
      hour: usage(hours: 1) { hours { requests } } hours: usage(hours: 4) { hours { requests } }
    }`)

    const of = (requests: number) => ({ requests })
    expect(data).toEqual({
      one: { days: [of(3)], keys: [of(2)] },
      three: { days: [of(0), of(0), of(3)], keys: [of(2), of(1)] },
      hour: { hours: [of(3)] },
      hours: { hours: [of(0), of(0), of(0), of(3)] },
    })
  })

  test('the owner and an operator see the latency of answers for each API, over the days or hours that usage asks for', async () => {
    const owner = await app.makeProject({ plan: 'enterprise', perMinute: 9, perDay: 100 })
    for (let i = 0; i < 9; i++) expect((await owner.get('/v1/pets')).status).toBe(200)
    expect((await owner.get('/v1/pets')).status).toBe(429)
    expect((await graphqlOf(app, await owner.issueKey())('{ usage { requests } }')).errors).toEqual([])
    await app.tools.usageCounter.flush()
    const ask = (span: string) =>
      `{ project(slug: "${owner.project.slug}") { usage(${span}) { latency { door timed p50 p99 } } } }`

    for (const span of ['days: 1', 'hours: 2']) {
      const { data } = await graphqlOf(app, owner)(ask(span))
      const { latency } = data.project.usage
      const none = { timed: 0, p50: null, p99: null }
      expect(latency).toEqual([
        { door: 'rest', timed: 9, p50: expect.any(Number), p99: expect.any(Number) },
        { door: 'graphql', ...none },
        { door: 'mcp', ...none },
      ])
      expect(latency[0].p50).toBeGreaterThan(0)
      expect(latency[0].p99).toBeGreaterThanOrEqual(latency[0].p50)
      expect((await sendGraphql(app.url, operatorKey, ask(span))).data).toEqual(data)
    }
    const stranger = graphqlOf(app, await app.makeProject())
    const mine = await stranger('{ usage { latency { timed p50 p99 } } }')
    expect(mine.data.usage.latency).toEqual(
      Array.from({ length: 3 }, () => ({ timed: 0, p50: null, p99: null })),
    )
    expect((await stranger(ask('days: 1'))).data.project).toBeNull()
  })

  test('if until is an earlier day or hour, usage ends with that day or hour', async () => {
    const owner = await app.makeProject()
    const dayMs = 86_400_000
    const dayAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString()
    const day = (days: number) => new Date(`${dayAgo(days).slice(0, 10)}T00:00:00Z`)
    const counts = { door: 'rest', requests: 5n, refusals: 0n, faulty: 0n, failed: 0n }
    const { tools } = app
    await tools.db.usage.createMany({
      data: [0, 1, 90, 179].map(days => ({ projectId: owner.project.id, day: day(days), ...counts })),
    })
    await tools.db.keyUsage.create({
      data: { projectId: owner.project.id, apiKeyId: owner.keyId, hour: day(1), ...counts },
    })
    await tools.db.latency.create({
      data: { projectId: owner.project.id, hour: day(1), door: 'rest', counts: [0n, 0n, 5n] },
    })
    const usage = (args: string) => `usage(${args}) { requests
      days { date requests } hours { at } keys { requests } latency { door timed } }`

    const send = graphqlOf(app, owner)
    const { data } = await send(`{
      yesterday: ${usage(`days: 1, until: "${dayAgo(1)}"`)} before: ${usage(`days: 90, until: "${dayAgo(90)}"`)}
    }`)
    const { now, hours } = (
      await send(`{ now: ${usage('days: 2')} hours: ${usage(`hours: 24, until: "${dayAgo(1)}"`)} }`)
    ).data

    expect(data.yesterday).toMatchObject({
      ...{ requests: 5, keys: [{ requests: 5 }] },
      days: [{ date: dayAgo(1).slice(0, 10), requests: 5 }],
      latency: [{ door: 'rest', timed: 5 }, { timed: 0 }, { timed: 0 }],
    })
    expect(data.before).toMatchObject({ requests: 10, keys: [], latency: [{ timed: 0 }, {}, {}] })
    expect(data.before.days).toHaveLength(90)
    expect(data.before.days.at(-1)).toEqual({ date: dayAgo(90).slice(0, 10), requests: 5 })
    expect(now).toMatchObject({ requests: 10, days: [{ requests: 5 }, { requests: 5 }] })
    expect(hours.hours).toHaveLength(24)
    expect(hours.hours.at(-1).at).toBe(`${dayAgo(1).slice(0, 13)}:00:00.000Z`)
  })

  test('if until is an earlier day, the usage of a key ends with that day and omits later days', async () => {
    const owner = await app.makeProject()
    const dayMs = 86_400_000
    const dayAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString()
    const counts = { door: 'rest', refusals: 0n, faulty: 0n, failed: 0n }
    await app.tools.db.keyUsage.createMany({
      data: [0, 1, 2, 50, 90].map(days => ({
        ...{ projectId: owner.project.id, apiKeyId: owner.keyId, ...counts, requests: BigInt(days + 1) },
        hour: new Date(`${dayAgo(days).slice(0, 10)}T00:00:00Z`),
      })),
    })
    const { data } = await graphqlOf(
      app,
      owner,
    )(`{ apiKeys { nodes {
      old: usage(days: 2, until: "${dayAgo(90)}") { requests days { date requests } }
      near: usage(days: 2, until: "${dayAgo(1)}") { requests }
      one: usage(days: 1, until: "${dayAgo(2)}") { requests }
      hours: usage(hours: 1, until: "${dayAgo(1)}") { hours { at } }
    } } }`)

    expect(data.apiKeys.nodes).toMatchObject([
      {
        old: { requests: 91, days: [{ requests: 0 }, { date: dayAgo(90).slice(0, 10), requests: 91 }] },
        ...{ near: { requests: 5 }, one: { requests: 3 } },
        hours: { hours: [{ at: `${dayAgo(1).slice(0, 13)}:00:00.000Z` }] },
      },
    ])
  })

  test.each([
    ['apiKeys(first: 1) { nodes { usage(days: 90, until: %) { requests } } }', -92 * 24],
    ['apiKeys { nodes { usage(hours: 1, until: %) { requests } } }', 2],
  ])('%s is rejected if until is %i hours from now', async (field, hours) => {
    const until = `"${new Date(Date.now() + hours * 3_600_000).toISOString()}"`
    const { errors } = await graphqlOf(app, await app.makeProject())(`{ ${field.replace('%', until)} }`)
    expect(errors[0]?.extensions).toMatchObject({ code: 'invalid_input', details: [{ field: 'until' }] })
  })

  test.each([
    ['usage(days: 90, until: %)', -92 * 24],
    ['usage(days: 1, until: %)', -181 * 24],
    ['usage(hours: 24, until: %)', -26],
    ['usage(hours: 1, until: %)', -49],
    ['usage(days: 1, until: %)', 25],
    ['usage(hours: 1, until: %)', 2],
  ])('%s is rejected if until is %i hours from now', async (field, hours) => {
    const send = graphqlOf(app, await app.makeProject())
    const until = `"${new Date(Date.now() + hours * 3_600_000).toISOString()}"`
    const { errors } = await send(`{ ${field.replace('%', until)} { requests } }`)
    expect(errors[0]?.extensions).toMatchObject({ code: 'invalid_input', details: [{ field: 'until' }] })
  })

  test.each([
    ['usage(days: 0)', 'days'],
    ['usage(days: 91)', 'days'],
    ['usage(hours: 0)', 'hours'],
    ['usage(hours: 49)', 'hours'],
  ])('%s is rejected, and the error names its argument', async (field, name) => {
    const send = graphqlOf(app, await app.makeProject())
    const { errors } = await send(`{ ${field} { requests } }`)
    expect(errors[0]?.extensions).toMatchObject({ code: 'invalid_input', details: [{ field: name }] })
    expect(codesOf(await send('{ usage { keys(first: 101) { requests } } }'))).toEqual(['invalid_input'])
  })

  test('the usage of each key on a page of keys takes one statement', async ({ skip }) => {
    if (!app.tools.database.pool) return skip('PostgreSQL is not installed')
    const owner = await app.makeProject()
    const keys = [owner]
    for (let i = 0; i < 9; i++) keys.push(await owner.issueKey())
    for (const key of keys) await key.get('/v1/pets')
    await app.tools.usageCounter.flush()
    const send = graphqlOf(app, owner)
    const page = () =>
      send('{ apiKeys(first: 10) { nodes { usage(days: 7) { requests days { requests } } } } }')
    const used = () => send('{ usage(hours: 24) { keys(first: 10) { key { name } requests } } }')

    const { data } = await page()
    expect(data.apiKeys.nodes.map((node: { usage: { requests: number } }) => node.usage.requests)).toEqual(
      Array.from({ length: 10 }, () => 1),
    )
    expect((await used()).data.usage.keys).toHaveLength(10)
    expect(await countStatements(['key_usage'], page)).toBe(1)
    // One statement for the project, one for its most used keys, and one for their usage.
    expect(await countStatements(['key_usage'], used)).toBe(3)
  })

  test("the cost of reading keys' usage is checked before the operation runs", async () => {
    const send = graphqlOf(app, await app.makeProject())
    const all =
      '{ apiKeys(first: 100) { nodes { usage(days: 90) { days { date requests doors { door requests } } } } } }'
    expect(codesOf(await send(all))).toEqual(['operation_too_complex'])
    expect((await send(all.replace('100', '20').replace('90', '30'))).errors).toEqual([])
  })

  test('an owner and an operator see the same remaining budget', async () => {
    const owner = await app.makeProject({ plan: 'free' })
    await owner.get('/v1/pets')
    const { slug } = owner.project
    const query = `{ project(slug: "${slug}") { limits { domains } rateLimit {
    id minute { limit remaining } day { remaining } ban { retryAfterSeconds }
  } } }`

    const byOwner = await graphqlOf(app, owner)(query)
    const byOperator = await sendGraphql(app.url, operatorKey, query)

    expect(byOwner.data.project).toEqual({
      limits: { domains: 0 },
      rateLimit: {
        id: `budget_${slug}`,
        ...{ minute: { limit: 60, remaining: 59 }, day: { remaining: 999 }, ban: null },
      },
    })
    expect(byOperator.data).toEqual(byOwner.data)
    const { data } = await graphqlOf(app, await app.makeProject())('{ project { limits { domains } } }')
    expect(data.project.limits.domains).toBe(50)
  })
})
