import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { graphqlOf, sendGraphql } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-of-the-door-0123456789abcdef'
let app: App
let store: TestProject
beforeAll(async () => {
  app = await startApp({ env: { OPERATOR_KEY: operatorKey } })
  store = await app.makeProject()
})
afterAll(() => app.stop())
afterEach(() => vi.restoreAllMocks())

const typename = `/graphql?${new URLSearchParams({ query: '{ __typename }' })}`
const make = 'mutation { createPet(input: { name: "Luna", categoryId: 1 }) { id } }'

describe('Cache-Control', () => {
  test('an answer is private and varies by key, Accept, Accept-Encoding and X-Explain-Cost', async () => {
    const answers = [
      await store.get(typename),
      await store.post('/graphql', { query: '{ __typename }' }),
      await store.post('/graphql', { query: '{ pets { nodes { id } } }' }),
    ]

    for (const { headers } of answers) {
      expect(headers['cache-control']).toBe('private, no-cache')
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      const varying = String(headers.vary).toLowerCase().split(', ').sort()
      expect(varying).toEqual(['accept', 'accept-encoding', 'authorization', 'x-explain-cost'])
    }
  })

  test('an answer to a mutation and an answer with errors have Cache-Control: no-store', async () => {
    const answers = [
      await store.post('/graphql', { query: make }),
      await store.post('/graphql', { query: '{ order(id: "order_1") { id } plans { name } }' }),
      await store.post('/graphql', '{'),
    ]

    for (const { headers } of answers) expect(headers['cache-control']).toBe('no-store')
  })
})

test('OPTIONS and the rejection of another method both return the allowed methods', async () => {
  const options = await app.ask('/graphql', { method: 'OPTIONS' })
  const refused = await Promise.all(
    ['PUT', 'PATCH', 'DELETE'].map(method => store.ask('/graphql', { method })),
  )

  expect([options.status, options.headers.allow]).toEqual([204, 'GET, POST, OPTIONS'])
  expect(options.headers['access-control-allow-methods']).toBe('GET, POST, OPTIONS')
  for (const { status, headers } of refused) expect([status, headers.allow]).toEqual([405, 'GET, POST'])
})

test.each([
  [{ 'x-apollo-operation-name': 'Look' }, 200],
  [{ 'apollo-require-preflight': '1' }, 200],
  [{ 'content-type': 'application/json' }, 200],
  [{}, 400],
  [{ 'content-type': 'text/plain' }, 400],
  [{ 'x-other': '1' }, 400],
])('an anonymous GET with the headers %j gets the status %i', async (headers, status) => {
  const answer = await app.ask(typename, {
    headers: { ...headers, accept: 'application/graphql-response+json' },
  })

  expect(answer.status).toBe(status)
  if (status === 400)
    expect(answer.json).toMatchObject({ errors: [{ extensions: { code: 'malformed_request' } }] })
})

test.each([
  ['{ nothing }', 400, 'malformed_request'],
  ['{', 400, 'malformed_request'],
  ['{ pets(first: "x") { nodes { id } } }', 400, 'invalid_input'],
  ['{ pets(first: 0) { nodes { id } } }', 401, 'unauthorized'],
  ['{ __typename rateLimit { plan } }', 401, 'unauthorized'],
  [make, 401, 'unauthorized'],
])('an anonymous operation %s gets the status %i', async (query, status, code) => {
  const answer = await sendGraphql(app.url, null, query)

  expect(answer.status).toBe(status)
  expect(answer.errors).toMatchObject([{ extensions: { code, status } }])
})

describe('the log line of an operation', () => {
  const lineOf = async (act: () => Promise<unknown>) => {
    const lines = vi.spyOn(app.tools.log, 'info')
    const found = () => (lines.mock.calls.flat() as Record<string, unknown>[]).filter(({ route }) => route)
    await act()
    await expect.poll(found).not.toEqual([])
    return found()
  }

  test('the log line of an operation holds the route, the project and the status', async () => {
    const lines = await lineOf(() => graphqlOf(app, store)('{ nothing }'))

    expect(lines).toMatchObject([
      { route: '/graphql', method: 'POST', status: 400, project: store.project.slug },
    ])
  })

  test('the log line of an operator holds no project', async () => {
    const [line] = await lineOf(() => sendGraphql(app.url, operatorKey, '{ plans { name } }'))

    expect(line).toMatchObject({ route: '/graphql', status: 200 })
    expect(line?.project).toBeUndefined()
  })
})

test('each root field costs an operator one request, and root fields of the store and of management are charged to one common budget', async () => {
  const left = async (query: string) => {
    const { headers } = await sendGraphql(app.url, operatorKey, query)
    return Number(headers['x-ratelimit-remaining'])
  }

  const first = await left('{ plans { name } }')

  expect(await left('{ a: plans { name } b: plans { name } caller { operator } }')).toBe(first - 3)
  expect(await left('{ a: pets { nodes { id } } plans { name } }')).toBe(first - 5)
  expect(await left('{ nothing }')).toBe(first - 6)
})

test('while keys cannot be read, REST and GraphQL answer 503 with the rate limit headers of the IP address', async () => {
  const { db, log } = app.tools
  vi.spyOn(log, 'warn').mockImplementation(() => {})
  const ask = async () => {
    const own = await store.issueKey()
    await db.$executeRawUnsafe('ALTER TABLE api_keys RENAME TO api_keys_away')
    const answers = [await own.get('/v1/pets'), await own.post('/graphql', { query: '{ plans { name } }' })]
    await db.$executeRawUnsafe('ALTER TABLE api_keys_away RENAME TO api_keys')
    return answers
  }

  const [rest, graphql] = await ask()

  expect([rest?.status, graphql?.status]).toEqual([503, 503])
  expect(graphql?.json).toMatchObject({ errors: [{ extensions: { code: 'unavailable', status: 503 } }] })
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'ratelimit-policy', 'retry-after']) {
    expect(rest?.headers[name], name).toBeDefined()
    expect(graphql?.headers[name], name).toBe(rest?.headers[name])
  }
})

describe('a bug before an operation runs', () => {
  test.each([
    ['while an unreadable body is charged', '{'],
    ['while the operation is charged', JSON.stringify({ query: '{ plans { name } }' })],
  ])(
    'a bug before an operation runs is masked and logged once with the id of the request: %s',
    async (_, body) => {
      vi.spyOn(app.tools.limiter, 'consume').mockRejectedValue(new Error('the password is hunter2'))
      const lines = vi.spyOn(app.tools.log, 'error').mockImplementation(() => {})

      const { status, json, text, headers } = await store.post('/graphql', body, {
        accept: 'application/graphql-response+json',
      })

      expect(status).toBe(500)
      expect(json).toMatchObject({
        errors: [{ extensions: { code: 'internal_error', status: 500, requestId: headers['x-request-id'] } }],
      })
      expect(headers['cache-control']).toBe('no-store')
      expect(text).not.toContain('hunter2')
      const logged = { requestId: headers['x-request-id'], error: { message: 'the password is hunter2' } }
      // Errors about tables that were renamed a moment ago may be logged as well.
      expect(lines.mock.calls.filter(([, said]) => said === 'unhandled error')).toMatchObject([
        [logged, 'unhandled error'],
      ])
    },
  )
})

test.each([
  ['{ a: order(id: "order_1") { id } b: categories { nodes { id } } }', { faulty: 0, failed: 1 }],
  ['{ b: categories { nodes { id } } a: order(id: "order_1") { id } }', { faulty: 0, failed: 1 }],
  ['{ a: order(id: "order_1") { id } b: order(id: "order_2") { id } }', { faulty: 2, failed: 0 }],
])('usage counts an operation with several errors by the worst one: %s', async (query, counts) => {
  const own = await app.makeProject()
  const ask = graphqlOf(app, own)
  vi.spyOn(app.tools.log, 'warn').mockImplementation(() => {})
  await app.tools.db.$executeRawUnsafe('ALTER TABLE categories RENAME TO categories_away')
  const { errors } = await ask(query).finally(() =>
    app.tools.db.$executeRawUnsafe('ALTER TABLE categories_away RENAME TO categories'),
  )
  await app.tools.usageCounter.flush()

  expect(errors).toHaveLength(2)
  const { usage } = (await ask('{ usage(days: 1) { requests faulty failed } }')).data
  expect(usage.requests).toBe(2)
  expect([usage.faulty > 0, usage.failed > 0]).toEqual([counts.faulty > 0, counts.failed > 0])
})
