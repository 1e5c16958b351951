import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { revokeApiKey, rotateApiKey } from '../../src/core/keys/api-keys.ts'
import { makeSecret } from '../../src/core/secrets.ts'
import { freshAddress } from '../support/ask.ts'
import { movableClock } from '../support/clock.ts'
import { type App, startApp } from '../support/start-app.ts'

const clock = movableClock()
let app: App
beforeAll(async () => {
  app = await startApp({ clock })
})
afterAll(() => app.stop())

const minuteMs = 60_000

describe('a request without a valid key', () => {
  it.each([
    ['no header', {}],
    ['an empty header', { authorization: '' }],
    ['Basic authentication', { authorization: 'Basic YTpi' }],
    ['a key without a scheme', { authorization: makeSecret() }],
    ['an unknown key', { authorization: `Bearer ${makeSecret()}` }],
    ['a mistyped key', { authorization: 'Bearer as_0000000000000000000000000000000000' }],
    ['a key of 10 KB', { authorization: `Bearer ${'a'.repeat(10_000)}` }],
    ['two keys in one header', { authorization: `Bearer ${makeSecret()}, Bearer ${makeSecret()}` }],
  ])('a request without a valid key gets a 401 without a hint: %s', async (_what, headers) => {
    const from = freshAddress()

    const refused = await app.ask('/v1/pets', { headers, from })

    expect(refused.status).toBe(401)
    expect(refused.headers['www-authenticate']).toBe('Bearer')
    expect(refused.json).toEqual({ code: 'unauthorized', message: expect.any(String), status: 401 })
    expect(refused.text).toBe((await app.ask('/v1/pets', { from })).text)
  })

  it('a request that sends a valid key twice gets a 401', async () => {
    const store = await app.makeProject()

    const twice = await app.ask('/v1/pets', {
      headers: { authorization: [`Bearer ${store.secret}`, `Bearer ${store.secret}`] },
    })

    expect(twice.status).toBe(401)
  })

  it('each address may send sixty requests a minute without a valid key, and the answers have the rate limit headers', async () => {
    const from = freshAddress()

    const answers = []
    for (let i = 0; i < 61; i++) answers.push(await app.ask('/v1/pets', { from }))

    expect(answers.map(answer => answer.status)).toEqual([...Array(60).fill(401), 429])
    expect(answers[0]?.headers).toMatchObject({ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59' })
    expect(answers[60]?.json).toMatchObject({ code: 'rate_limited' })
    expect(Number(answers[60]?.headers['retry-after'])).toBeGreaterThan(0)
    const store = await app.makeProject()
    const headers = { authorization: `Bearer ${store.secret}` }
    expect((await app.ask('/v1/pets', { from, headers })).status).toBe(200)
    expect((await app.ask('/v1/pets', { from: freshAddress() })).status).toBe(401)
  })
})

describe('an API key', () => {
  it('the scheme Bearer is accepted in lower case too', async () => {
    const store = await app.makeProject()

    expect((await app.ask('/v1/pets', { headers: { authorization: `bearer ${store.secret}` } })).status).toBe(
      200,
    )
  })

  it('an API key can do only what its scopes allow', async () => {
    const store = await app.makeProject({ scopes: ['pets:read'] })
    const writer = await store.issueKey(['pets:write'])

    expect((await store.post('/v1/pets', { name: 'Max', categoryId: 1 })).json).toMatchObject({
      code: 'insufficient_scope',
      status: 403,
    })
    expect((await writer.post('/v1/pets', { name: 'Max', categoryId: 1 })).status).toBe(201)
    expect((await writer.get('/v1/pets')).status).toBe(403)
  })

  it('a revoked key stops working everywhere within a second', async () => {
    const second = await startApp({
      env: app.tools.config.databaseUrl ? { DATABASE_URL: app.tools.config.databaseUrl } : {},
    })
    const store = await app.makeProject()
    const elsewhere = app.tools.config.databaseUrl ? second.url : app.url
    const ask = async (url: string) => {
      const answer = await fetch(`${url}/v1/pets`, {
        headers: { authorization: `Bearer ${store.secret}`, connection: 'close' },
      })
      return answer.status
    }
    expect([await ask(app.url), await ask(elsewhere)]).toEqual([200, 200])

    await revokeApiKey(app.tools.db, clock, store.project, store.keyId)
    const revokedAt = performance.now()
    let lastAcceptedAt = revokedAt
    for (const url of [app.url, elsewhere])
      for (let sentAt = revokedAt; (await ask(url)) !== 401; sentAt = performance.now())
        lastAcceptedAt = sentAt

    expect(lastAcceptedAt - revokedAt).toBeLessThan(1_000)
    await second.stop()
  })

  it('a rotated key works beside the new one during the overlap, and then expires', async () => {
    const store = await app.makeProject()
    const { secret } = await rotateApiKey(
      app.tools.db,
      clock,
      store.project,
      store.keyId,
      new Date(clock.now() + 10 * minuteMs),
    )
    const statusOf = async (key: string) =>
      (await app.ask('/v1/pets', { headers: { authorization: `Bearer ${key}` } })).status

    expect([await statusOf(store.secret), await statusOf(secret)]).toEqual([200, 200])
    clock.advance(11 * minuteMs)
    expect([await statusOf(store.secret), await statusOf(secret)]).toEqual([401, 200])
  })

  it('an API key has a last used time, and is nowhere stored in plain text', async () => {
    const store = await app.makeProject()
    await store.get('/v1/pets')
    await app.tools.usageCounter.flush()

    const row = await app.tools.db.apiKey.findUniqueOrThrow({ where: { id: store.keyId } })

    expect(row.lastUsedAt).not.toBeNull()
    expect(Buffer.from(row.hash).toString('utf8')).not.toContain(store.secret)
    expect(JSON.stringify({ ...row, hash: null })).not.toContain(store.secret)
  })

  it('a key of a suspended project gets a 403, and works again once the project is resumed', async () => {
    const store = await app.makeProject()
    await app.tools.db.project.update({ where: { id: store.project.id }, data: { suspendedAt: new Date() } })

    expect((await store.get('/v1/pets')).json).toMatchObject({ code: 'project_suspended', status: 403 })
  })
})
