import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Answer, freshAddress } from '../support/ask.ts'
import { graphqlOf } from '../support/graphql.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

it("the client's own X-Request-Id and traceparent are returned and logged", async () => {
  const store = await app.makeProject()
  const logged = vi.spyOn(app.tools.log, 'info')
  const names = { 'x-request-id': 'shop-1.checkout_7', traceparent: trace }

  const answers = [
    await store.get('/v1/pets', names),
    await graphqlOf(app, store)('{ pets { nodes { id } } }', { headers: names }),
    await app.ask('/v1/pets', { headers: names }),
    await app.ask('/nowhere', { headers: names }),
  ]

  for (const { headers } of answers) {
    expect([headers['x-request-id'], headers.traceparent]).toEqual(['shop-1.checkout_7', trace])
  }
  const named = { requestId: 'shop-1.checkout_7', traceparent: trace }
  const isNamed = (line: unknown) => expect.objectContaining(named).asymmetricMatch(line)
  await expect.poll(() => logged.mock.calls.flat().filter(isNamed)).toHaveLength(4)
  logged.mockRestore()
})

const headerNames = [
  ...['Access-Control-Allow-Origin', 'Cache-Control', 'Connection', 'Content-Length', 'Content-Type', 'ETag'],
  ...['Link', 'Location', 'RateLimit', 'Strict-Transport-Security', 'Vary', 'WWW-Authenticate'],
  ...['X-RateLimit-Limit', 'X-Request-Id'],
]

it('an X-Request-Id that is the name of a header changes nothing else of an answer', async () => {
  const store = await app.makeProject()
  const ask = (path: string, headers: Record<string, string>, method = 'GET') =>
    app.ask(path, { method, headers, from: freshAddress() })
  const pet = { name: 'Rex', categoryId: 1 }
  await Promise.all([1, 2].map(() => store.post('/v1/pets', pet)))
  const questions: ((names: Record<string, string>) => Promise<Answer>)[] = [
    names => ask('/v1/pets', names),
    names => ask('/v1/pets', { ...names, host: 'unknown.test' }),
    names => ask('/session/token', names, 'POST'),
    names => ask('/revocations', names, 'POST'),
    names => store.get('/v1/pets?limit=1', names),
    names => store.post('/v1/pets', pet, names),
    names => store.post('/graphql', { query: '{ pets { nodes { id } } }' }, names),
    names => store.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, names),
  ]

  const shapeOf = ({ status, headers }: Answer) => [status, Object.keys(headers).sort()]

  for (const question of questions) {
    const plain = await question({})
    for (const name of headerNames) {
      const answer = await question({ 'x-request-id': name })
      expect(shapeOf(answer)).toEqual(shapeOf(plain))
      expect(answer.headers['x-request-id']).toBe(name)
    }
  }
})

it.each([
  ['x-request-id', ''],
  ['x-request-id', 'a b'],
  ['x-request-id', 'a"b'],
  ['x-request-id', 'a\tb'],
  ['x-request-id', 'käse'],
  ['x-request-id', 'x'.repeat(129)],
  ['x-request-id', ['a', 'b']],
  ['traceparent', ''],
  ['traceparent', trace.toUpperCase()],
  ['traceparent', `${trace}-00`],
  ['traceparent', trace.replace('00-', 'ff-')],
  ['traceparent', trace.replace(/4bf\w+/, '0'.repeat(32))],
  ['traceparent', trace.replace(/00f0\w+/, '0'.repeat(16))],
  ['traceparent', [trace, trace]],
] as [string, string | string[]][])(
  'an invalid header %s of the client is ignored: %j',
  async (header, value) => {
    const sent = [value].flat().map(text => Buffer.from(text).toString('latin1'))

    const { headers } = await app.ask('/livez', {
      headers: { [header]: typeof value === 'string' ? (sent[0] ?? '') : sent },
    })

    expect(headers['x-request-id']).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/)
    expect(headers.traceparent).toBeUndefined()
  },
)
