import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { banApiKey, longestBanSeconds } from '../../src/core/projects/bans.ts'
import { movableClock } from '../support/clock.ts'
import { leftOf } from '../support/left.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const clock = movableClock()
let app: App
beforeAll(async () => {
  app = await startApp({ clock })
})
afterAll(() => app.stop())

const seconds = (count: number) => count * 1_000

describe('the limits of a plan', () => {
  it('every answer has the rate limit headers, even an error', async () => {
    const store = await app.makeProject({ plan: 'free' })

    const answers = [
      await store.get('/v1/pets'),
      await store.get('/v1/pets?limit=0'),
      await store.get('/v1/pets/5'),
      await store.get('/v1/nowhere'),
      await store.ask('/v1/pets', { method: 'PUT' }),
    ]

    expect(answers.map(answer => answer.status)).toEqual([200, 400, 404, 404, 405])
    for (const [i, { headers }] of answers.entries()) {
      expect(headers['x-ratelimit-limit']).toBe('60')
      expect(headers['x-ratelimit-remaining']).toBe(String(59 - i))
      const resetIn = Number(headers['x-ratelimit-reset']) - clock.now() / 1000
      expect(resetIn).toBeGreaterThan(50)
      expect(resetIn).toBeLessThanOrEqual(61)
      expect(headers.ratelimit).toMatch(
        new RegExp(`^"minute";r=${59 - i};t=\\d+, "day";r=${999 - i};t=\\d+$`),
      )
      expect(headers['ratelimit-policy']).toBe('"minute";q=60;w=60, "day";q=1000;w=86400')
    }
  })

  it('reading the limits does not begin a window', async () => {
    const store = await app.makeProject({ plan: 'free' })

    await store.get('/v1/rate-limit')
    clock.advance(seconds(40))
    const { headers } = await store.get('/v1/pets')

    expect(headers.ratelimit).toMatch(/"minute";r=59;t=60, "day";r=999;t=86400/)
  })

  it("exactly the plan's requests pass in a minute, and more requests pass once the minute ends", async () => {
    const store = await app.makeProject({ plan: 'free' })

    const statuses = await many(store, 70)
    const refused = await store.get('/v1/pets')

    expect(statuses.filter(status => status === 200)).toHaveLength(60)
    expect(refused.json).toMatchObject({ code: 'rate_limited', status: 429 })
    clock.advance(seconds(Number(refused.headers['retry-after'])))
    const passed = await store.get('/v1/pets')
    expect(passed.status).toBe(200)
    expect(passed.headers.ratelimit).toMatch(/"minute";r=59;t=60, "day";r=939;/)
  })

  it('the headers describe the window with the fewest requests left, minute or day', async () => {
    const store = await app.makeProject({ perMinute: 10, perDay: 13 })
    await many(store, 10)
    clock.advance(seconds(60))

    const [eleventh, ...rest] = [
      await store.get('/v1/pets'),
      await store.get('/v1/pets'),
      await store.get('/v1/pets'),
    ]
    const refused = await store.get('/v1/pets')

    expect(eleventh.headers['x-ratelimit-limit']).toBe('13')
    expect(eleventh.headers['x-ratelimit-remaining']).toBe('2')
    expect(rest.map(answer => answer.status)).toEqual([200, 200])
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000)
  })

  it('all keys of a project share one limit', async () => {
    const store = await app.makeProject({ perMinute: 4 })
    const second = await store.issueKey()

    await many(store, 3)
    await many(second, 1)

    expect((await second.get('/v1/pets')).status).toBe(429)
    expect((await store.get('/v1/pets')).status).toBe(429)
  })

  it('a changed plan applies within a second, and the counts stay', async () => {
    const store = await app.makeProject({ plan: 'free' })
    await many(store, 60)
    expect((await store.get('/v1/pets')).status).toBe(429)

    await app.tools.db.project.update({ where: { id: store.project.id }, data: { planName: 'pro' } })
    const changedAt = performance.now()
    let answer = await store.get('/v1/rate-limit')
    while (answer.headers['x-ratelimit-limit'] !== '300' && performance.now() - changedAt < 10_000) {
      // Too many reads of the limits would be charged or even refused.
      await pause(20)
      answer = await store.get('/v1/rate-limit')
    }

    // If the plan were cached as long as a page, the old limits would stay for a minute.
    expect(performance.now() - changedAt).toBeLessThan(5_000)
    expect(answer.headers['x-ratelimit-remaining']).toBe('240')
    expect((await store.get('/v1/pets')).status).toBe(200)
  })
})

describe('the rate limit endpoint', () => {
  it('reading the rate limit endpoint returns the plan, the windows and the ban null, and costs no request', async () => {
    const store = await app.makeProject({ plan: 'free' })
    await many(store, 2)

    const first = await store.get('/v1/rate-limit')
    const again = await store.get('/v1/rate-limit')

    expect(first.json).toEqual({
      plan: 'free',
      windows: [
        { name: 'minute', limit: 60, remaining: 58, resetAt: expect.any(String) },
        { name: 'day', limit: 1000, remaining: 998, resetAt: expect.any(String) },
      ],
      ban: null,
    })
    expect(again.json).toEqual(first.json)
  })

  it('60 reads of the rate limit endpoint a minute are free, each further read costs a management request, and all keys of a project count together', async () => {
    const store = await app.makeProject({ plan: 'free' })
    const second = await store.issueKey()
    const read = (key: TestProject, count: number) =>
      Promise.all(Array.from({ length: count }, () => key.get('/v1/rate-limit')))

    const free = [...(await read(store, 40)), ...(await read(second, 20))]
    const before = await leftOf(app.tools, store.project)
    const charged = await read(store, 300)
    const after = await leftOf(app.tools, store.project)
    const refused = await second.get('/v1/rate-limit')

    expect(new Set([...free, ...charged].map(({ status }) => status))).toEqual(new Set([200]))
    expect([before, after]).toMatchObject([
      { minute: 60, management: 300 },
      { minute: 60, management: 0 },
    ])
    expect(charged.at(-1)?.json).toMatchObject({
      windows: [{ name: 'minute', remaining: 60 }, { name: 'day' }],
    })
    expect(charged.at(-1)?.headers).toMatchObject({
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '60',
    })
    expect([refused.status, refused.json]).toMatchObject([429, { code: 'rate_limited' }])
    expect((await store.get('/v1/pets')).status).toBe(200)
    clock.advance(seconds(61))
    expect((await second.get('/v1/rate-limit')).status).toBe(200)
  })

  it('for each window, the rate limit endpoint returns when the window ends, or when an unused window would end if it began now', async () => {
    const store = await app.makeProject({ plan: 'free' })
    const ends = async () =>
      ((await store.get('/v1/rate-limit')).json as { windows: { resetAt: string }[] }).windows.map(
        ({ resetAt }) => 10 * Math.round((Date.parse(resetAt) - clock.now()) / 10_000),
      )

    expect(await ends()).toEqual([60, 86_400])
    clock.advance(seconds(30))
    expect(await ends()).toEqual([60, 86_400])
    await store.get('/v1/pets')
    clock.advance(seconds(40))
    expect(await ends()).toEqual([20, 86_360])
    clock.advance(seconds(30))
    expect(await ends()).toEqual([60, 86_330])
  })

  it('the rate limit endpoint has no ETag, because other requests and time change the answer', async () => {
    const store = await app.makeProject()

    const { headers } = await store.get('/v1/rate-limit')
    const again = await store.get('/v1/rate-limit', { 'if-none-match': '*' })

    expect([headers.etag, again.status]).toEqual([undefined, 200])
  })
})

describe('a key that keeps hammering', () => {
  it('until a ban ends, the rate limit headers of the banned key say that no requests are left, even if its windows have requests left', async () => {
    const store = await app.makeProject({ perMinute: 2 })
    await many(store, 2 + 7)
    clock.advance(seconds(61))

    const banned = await store.get('/v1/pets')

    expect(banned.json).toMatchObject({ code: 'key_banned' })
    const wait = Number(banned.headers['retry-after'])
    expect(wait).toBeGreaterThan(230)
    expect(banned.headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0' })
    expect(Math.abs(Number(banned.headers['x-ratelimit-reset']) - clock.now() / 1000 - wait)).toBeLessThan(2)
    expect(banned.headers.ratelimit).toBe(`"minute";r=0;t=${wait}, "day";r=0;t=${wait}`)
    const look = await store.get('/v1/rate-limit')
    expect(look.headers).toMatchObject({ 'x-ratelimit-remaining': '0' })
    expect(look.headers['x-ratelimit-reset']).toBe(banned.headers['x-ratelimit-reset'])
    expect(look.json).toMatchObject({
      windows: [
        { name: 'minute', limit: 2, remaining: 2 },
        { name: 'day', remaining: 99_998 },
      ],
      ban: { endsAt: expect.any(String) },
    })
  })

  it('a key that the operator banned for 30 days gets a Retry-After of 30 days, as the contract allows', async () => {
    const store = await app.makeProject()
    const { db, limiter } = app.tools

    await banApiKey(db, limiter, store.project, store.keyId, longestBanSeconds)
    const banned = await store.get('/v1/pets')

    expect(banned.json).toMatchObject({ code: 'key_banned', status: 429 })
    expect(Number(banned.headers['retry-after'])).toBeGreaterThan(longestBanSeconds - 1_000)
  })

  it('only a key whose refusals exceed three times its limit is banned, the second ban is longer, and each ban is counted once', async () => {
    const store = await app.makeProject({ perMinute: 5 })
    const before = bansBegun()
    const other = await store.issueKey()
    await many(store, 5 + 14)
    expect((await store.get('/v1/pets')).json).toMatchObject({ code: 'rate_limited' })

    const banned = await store.get('/v1/pets')

    expect(banned.json).toMatchObject({ code: 'key_banned', status: 429 })
    expect(Number(banned.headers['retry-after'])).toBeGreaterThan(290)
    const look = await store.get('/v1/rate-limit')
    expect(look.status).toBe(200)
    const { ban } = look.json as { ban: { endsAt: string } }
    expect(Date.parse(ban.endsAt) - clock.now()).toBeGreaterThan(seconds(290))
    expect(Date.parse(ban.endsAt) - clock.now()).toBeLessThanOrEqual(seconds(300))
    clock.advance(seconds(61))
    expect((await store.get('/v1/pets')).status).toBe(429)
    expect((await other.get('/v1/pets')).status).toBe(200)
    clock.advance(seconds(300))
    expect((await store.get('/v1/pets')).status).toBe(200)

    expect(bansBegun()).toBe(before + 1)

    await many(store, 5 + 16)
    expect(Number((await store.get('/v1/pets')).headers['retry-after'])).toBeGreaterThan(590)
    expect(bansBegun()).toBe(before + 2)
  })
})

const bansBegun = () => Number(/^animal_store_bans_total (\d+)$/m.exec(app.tools.metrics.text())?.[1])

async function many(store: TestProject, count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, async () => (await store.get('/v1/pets')).status))
}
