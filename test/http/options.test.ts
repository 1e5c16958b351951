import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const addresses = [
  ['/v1/pets', 'GET, POST, PATCH, DELETE, HEAD, OPTIONS'],
  ['/v1/pets/1', 'GET, PATCH, DELETE, HEAD, OPTIONS'],
  ['/v1/rate-limit', 'GET, HEAD, OPTIONS'],
  ['/v1/nowhere', 'OPTIONS'],
  ['/v1/pets/', 'OPTIONS'],
  ['/graphql', 'GET, POST, OPTIONS'],
  ['/openapi.json', 'GET, HEAD, OPTIONS'],
  ['/revocations', 'POST, OPTIONS'],
] as const

it.each(addresses)(
  'OPTIONS %s returns the allowed methods and the limits of the IP address, takes nothing from the limits and looks up no key',
  async (path, allowed) => {
    const store = await app.makeProject()
    const lookUps = vi.spyOn(app.tools.callers, 'find')
    onTestFinished(() => lookUps.mockRestore())

    const answers = [
      await app.ask(path, { method: 'OPTIONS' }),
      await store.ask(path, { method: 'OPTIONS' }),
      await store.ask(path, { method: 'OPTIONS' }),
    ]

    for (const { status, text, headers } of answers) {
      expect([status, text, headers.allow]).toEqual([204, '', allowed])
      expect(headers).toMatchObject({ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '60' })
      expect(headers['ratelimit-policy']).toBe('"minute";q=60;w=60')
    }
    expect(lookUps).not.toHaveBeenCalled()
  },
)

it.each(addresses)(
  'a CORS preflight at %s returns the same methods as a plain OPTIONS request',
  async (path, allowed) => {
    const headers = {
      origin: 'https://shop.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,traceparent',
    }

    const answer = await app.ask(path, { method: 'OPTIONS', headers })

    expect(answer.status).toBe(204)
    expect(answer.headers['access-control-allow-methods']).toBe(allowed)
    expect(answer.headers['access-control-allow-headers']).toBe('authorization,traceparent')
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.headers['access-control-max-age']).toBe('86400')
    expect(answer.headers['x-ratelimit-limit']).toBe('60')
  },
)

it.each(addresses)('a preflight at %s works while no key can be looked up', async (path, allowed) => {
  const store = await app.makeProject()
  const sql = (text: string) => app.tools.db.$executeRawUnsafe(text)
  await sql('ALTER TABLE api_keys RENAME TO api_keys_elsewhere')

  const { status, headers } = await store.ask(path, { method: 'OPTIONS' })
  const refused = [
    await store.get('/v1/pets'),
    await store.post('/graphql', { query: '{ pets { nodes { id } } }' }),
  ]
  await sql('ALTER TABLE api_keys_elsewhere RENAME TO api_keys')

  for (const { status, headers } of refused) {
    expect([status, headers['retry-after']]).toEqual([503, '1'])
    // The outage is not the client's fault, so its IP address is not charged.
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '60' })
  }
  expect([status, headers.allow, headers['x-ratelimit-limit']]).toEqual([204, allowed, '60'])
})

it('/favicon.ico returns an SVG icon', async () => {
  const icon = await app.ask('/favicon.ico')

  expect([icon.status, icon.headers['content-type']]).toEqual([200, 'image/svg+xml'])
  expect(icon.text).toMatch(/^<svg /)
})

it.each(['zstd', 'gzip, gzip', 'x-unknown'])(
  'the error for a Content-Encoding of %s lists the allowed encodings',
  async encoding => {
    const store = await app.makeProject()

    const refused = await store.post('/v1/pets', '{}', { 'content-encoding': encoding })

    expect(refused.json).toMatchObject({
      code: 'unsupported_media_type',
      message: 'The Content-Encoding of the body must be gzip, deflate, br or identity.',
    })
    expect(refused.headers['accept-encoding']).toBe('gzip, deflate, br')
  },
)
