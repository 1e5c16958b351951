import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorCodes } from '../../src/core/errors.ts'
import { operations } from '../support/contract-document.ts'
import { sendRaw } from '../support/send-raw.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const onPages = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'x-frame-options',
]

describe('every answer', () => {
  it('every answer has its own request id and the security headers, and does not name the server software', async () => {
    const store = await app.makeProject()
    const answers = [
      await store.get('/v1/pets'),
      await app.ask('/v1/pets'),
      await app.ask('/nowhere'),
      await app.ask('/openapi.json'),
      await app.ask('/livez'),
    ]

    for (const { headers } of answers) {
      expect(headers['x-request-id']).toMatch(/^[\w-]{36}$/)
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['strict-transport-security']).toBe('max-age=31536000')
      expect(headers['x-powered-by']).toBeUndefined()
    }
    expect(new Set(answers.map(answer => answer.headers['x-request-id'])).size).toBe(answers.length)
  })

  it('the service keeps idle connections open for longer than balancers do', async () => {
    const store = await app.makeProject()

    const { headers } = await store.get('/v1/pets', { connection: 'keep-alive' })

    expect(headers['keep-alive']).toBe('timeout=65')
  })

  it('only pages have the headers that protect pages in a browser, such as Content-Security-Policy', async () => {
    const store = await app.makeProject()
    const pages = await Promise.all(
      ['/reference', '/dashboard', '/graphql'].map(page =>
        app.ask(page, { headers: { accept: 'text/html' } }),
      ),
    )
    const others = [
      await store.get('/v1/pets'),
      await store.post('/graphql', { query: '{ pets { nodes { id } } }' }),
      await app.ask('/v1/pets'),
      await app.ask('/nowhere'),
      await app.ask('/openapi.json'),
    ]

    for (const { status, headers } of pages) {
      expect(status).toBe(200)
      for (const name of onPages) expect(headers, name).toHaveProperty(name)
      expect(headers).toMatchObject({
        ...{ 'x-content-type-options': 'nosniff', 'x-frame-options': 'SAMEORIGIN' },
        ...{ 'referrer-policy': 'no-referrer', 'origin-agent-cluster': '?1' },
        'strict-transport-security': 'max-age=31536000',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      })
      expect(headers['content-security-policy']).toMatch(/frame-ancestors '(none|self)'/)
    }
    for (const { headers } of others) {
      for (const name of onPages) expect(headers, name).not.toHaveProperty(name)
    }
  })

  it('pages of any origin may read every answer and our headers', async () => {
    const store = await app.makeProject()

    const { headers } = await store.get('/v1/pets', { origin: 'https://shop.example' })

    expect(headers['access-control-allow-origin']).toBe('*')
    const exposed = String(headers['access-control-expose-headers']).toLowerCase().split(',')
    const documented = operations.flatMap(({ answers }) =>
      [...answers.values()].flatMap(answer => Object.keys(answer.headers ?? {})),
    )
    // These headers need not be exposed: a script can always read Cache-Control, and only browsers and caches use the
    // other two headers.
    const others = ['access-control-allow-origin', 'cache-control', 'vary']
    const wanted = new Set(documented.map(name => name.toLowerCase()))
    expect([...wanted].filter(name => !exposed.includes(name) && !others.includes(name))).toEqual([])
    expect(wanted).toContain('x-ratelimit-cost')
    expect(exposed).toContain('allow')
    expect(headers['access-control-allow-credentials']).toBeUndefined()
  })
})

describe('a browser', () => {
  it('a browser gets a preflight answer that allows the Authorization header', async () => {
    const allowed = await app.ask('/v1/pets', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,idempotency-key',
      },
    })

    expect(allowed.status).toBe(204)
    expect(allowed.headers['access-control-allow-headers']).toBe('authorization,content-type,idempotency-key')
    expect(allowed.headers['access-control-allow-methods']).toContain('POST')
  })
})

describe('an unknown path or method', () => {
  it.each([
    ['GET', '/v1/nowhere', 404, 'not_found'],
    ['GET', '/v1/pets/1/2', 404, 'not_found'],
    ['GET', '/v1/pets/', 404, 'not_found'],
    ['GET', '/v1/pets/1/', 404, 'not_found'],
    ['GET', '/v1/PETS', 404, 'not_found'],
    ['GET', '/V1/pets', 404, 'not_found'],
    ['POST', '/GraphQL', 404, 'not_found'],
    ['PUT', '/v1/pets', 405, 'method_not_allowed'],
    ['PUT', '/v1/pets/5', 405, 'method_not_allowed'],
    ['POST', '/v1/rate-limit', 405, 'method_not_allowed'],
    ['GET', '/v1/pets/%zz', 400, 'malformed_request'],
  ])('%s %s is answered in the Error shape', async (method, path, status, code) => {
    const store = await app.makeProject()

    const refused = await store.ask(path, { method })

    expect(refused.json).toEqual({ code, message: expect.any(String), status })
    expect([refused.status, refused.headers['content-type']]).toEqual([
      status,
      'application/json; charset=utf-8',
    ])
    expect(errorCodes).toContain(code)
    if (status !== 405) return
    const { allow = '' } = refused.headers
    expect(allow).toMatch(/OPTIONS/)
    expect(refused.json).toMatchObject({
      message: `${method} is not allowed here; use ${allow}.`,
    })
  })

  it('an unknown path outside /v1 gets a 404 in the Error shape', async () => {
    expect((await app.ask('/nowhere')).json).toMatchObject({ code: 'not_found', status: 404 })
    expect((await app.ask('/%')).json).toMatchObject({ status: 404 })
  })

  it.each(['/openapi.yaml', '/openapi.json', '/schema.graphql'])(
    'another spelling of %s gets a 404, because each resource has one URL',
    async path => {
      expect((await app.ask(path)).status).toBe(200)
      for (const other of [`${path}/`, path.toUpperCase()]) expect((await app.ask(other)).status).toBe(404)
    },
  )
})

describe('HEAD', () => {
  it('HEAD returns the headers of GET without the body', async () => {
    const store = await app.makeProject()
    const got = await store.get('/v1/pets')

    const head = await store.ask('/v1/pets', { method: 'HEAD' })

    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers['content-length']).toBe(got.headers['content-length'])
  })
})

describe('an invalid HTTP request', () => {
  it.each([
    ['nonsense', 'what?\r\n\r\n', 400, 'malformed_request'],
    [
      'headers larger than 16 KiB',
      `GET /v1/pets HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['no Host', 'GET /v1/pets HTTP/1.1\r\n\r\n', 400, 'malformed_request'],
    [
      'both Content-Length and Transfer-Encoding',
      'POST /v1/pets HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'malformed_request',
    ],
    [
      'a NUL in a header',
      'GET /v1/pets HTTP/1.1\r\nhost: x\r\nauthorization: Bearer a\0b\r\n\r\n',
      400,
      'malformed_request',
    ],
  ])('%s gets an answer in the Error shape', async (_what, bytes, status, code) => {
    const refused = await sendRaw(app.url, bytes)

    expect(refused.status).toBe(status)
    expect(refused.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
    expect(refused.headers.get('x-content-type-options')).toBe('nosniff')
    expect(JSON.parse(refused.body)).toMatchObject({ code, status })
  })
})

describe('the contract', () => {
  it('the contract is served in both notations, with the address of this service', async () => {
    const yaml = await app.ask('/openapi.yaml')
    const json = await app.ask('/openapi.json')
    const schema = await app.ask('/schema.graphql')

    expect([yaml, json, schema].map(({ headers }) => headers['content-type'])).toEqual(
      ['application/yaml', 'application/json', 'text/plain'].map(type => `${type}; charset=utf-8`),
    )
    expect(yaml.text).toContain(`${app.tools.config.publicUrl}/v1`)
    expect(json.json).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./), info: { version: '1.0.0' } })
  })
})

describe('probes', () => {
  it('probes are answered without a key and are not counted', async () => {
    expect((await app.ask('/livez')).json).toEqual({ status: 'alive' })
    expect((await app.ask('/readyz')).json).toEqual({ status: 'ready' })
  })
})
