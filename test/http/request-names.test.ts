import { afterAll, beforeAll, expect, it, vi } from 'vitest'
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
