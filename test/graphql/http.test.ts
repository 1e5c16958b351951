import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { codesOf, graphqlOf, sendGraphql } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let project: TestProject
let send: ReturnType<typeof graphqlOf>

beforeAll(async () => {
  app = await startApp()
  project = await app.makeProject()
  send = graphqlOf(app, project)
})
afterAll(() => app.stop())

const get = (query: string, headers = {}) =>
  project.get(`/graphql?${new URLSearchParams({ query })}`, headers)

describe('/graphql over HTTP', () => {
  test('a wrong key is rejected as over REST, but with a GraphQL error', async () => {
    const unknown = `as_${'0'.repeat(34)}`
    for (const authorization of [`Bearer ${unknown}`, 'Bearer', 'Basic abc', `Bearer ${project.secret}x`]) {
      const answer = await sendGraphql(app.url, null, '{ plans { name } }', { headers: { authorization } })

      expect(answer.status).toBe(401)
      expect(answer.headers['www-authenticate']).toBe('Bearer')
      expect(answer.headers['x-ratelimit-limit']).toBe('60')
      expect(answer.errors).toMatchObject([{ extensions: { code: 'unauthorized', status: 401 } }])
    }
  })

  test.each([
    ['application/json', 200, 'application/json'],
    ['application/json, text/plain, */*', 200, 'application/json'],
    ['application/json;q=0, */*', 400, 'application/graphql-response+json'],
    ['*/*', 400, 'application/json'],
    ['application/json, application/graphql-response+json;q=0.9', 400, 'application/json'],
    ['application/graphql-response+json, application/json;q=0.9', 400, 'application/graphql-response+json'],
  ])('a faulty operation with Accept: %s gets a %d as %s and is not stored', async (accept, status, type) => {
    const answer = await sendGraphql(app.url, project.secret, '{ nothing }', { headers: { accept } })

    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject({
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-store',
    })
  })

  test('an anonymous request may read the schema and nothing more', async () => {
    const look = await sendGraphql(app.url, null, '{ __type(name: "Pet") { name } }')
    const more = await sendGraphql(app.url, null, '{ __typename plans { name } }')
    const fragment = await sendGraphql(
      app.url,
      null,
      '{ ...A } fragment A on Query { pets { nodes { id } } }',
    )

    expect(look.data).toEqual({ __type: { name: 'Pet' } })
    expect([more.status, fragment.status]).toEqual([401, 401])
    for (const { headers } of [more, fragment]) expect(headers['www-authenticate']).toBe('Bearer')
    expect(look.headers['www-authenticate']).toBeUndefined()
    expect(codesOf(more)).toEqual(['unauthorized'])
  })

  test('anonymous requests are limited by IP address', async () => {
    const own = await startApp({ env: { TRUST_PROXY: '1' } })
    const headers = { 'x-forwarded-for': '192.0.2.7' }
    const statuses: number[] = []
    for (let i = 0; i < 61; i++)
      statuses.push((await sendGraphql(own.url, null, '{ __typename }', { headers })).status)
    const elsewhere = await sendGraphql(own.url, null, '{ __typename }', {
      headers: { 'x-forwarded-for': '192.0.2.8' },
    })
    await own.stop()

    expect(statuses.filter(status => status === 200)).toHaveLength(60)
    expect(statuses.at(-1)).toBe(429)
    expect(elsewhere.status).toBe(200)
  })

  test('GET runs queries and rejects mutations', async () => {
    const read = await get('{ plans { name } }')
    const write = await get('mutation { createPet(input: { name: "A", categoryId: 1 }) { id } }')

    expect(read.status).toBe(200)
    expect(write.status).toBe(405)
    expect(write.headers.allow).toBe('POST')
    expect(write.json).toMatchObject({
      errors: [{ extensions: { code: 'method_not_allowed', status: 405 } }],
    })
    expect((await project.get('/v1/pets')).json).toEqual([])
  })

  test('a number beyond 2^53 in the variables of a GET is rejected', async () => {
    const query = new URLSearchParams({
      query: 'query($id: ID!) { getPet(petId: $id) { id } }',
      variables: '{"id":9007199254740993}',
    })
    const answer = await project.get(`/graphql?${query}`, { accept: 'application/graphql-response+json' })

    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({
      errors: [{ extensions: { code: 'invalid_input', details: [{ field: 'id' }] } }],
    })
  })

  test('a GET that a page of another origin can send without a preflight is rejected', async () => {
    const answer = await app.ask('/graphql?query=%7B__typename%7D', {
      headers: { 'content-type': 'text/plain' },
    })

    expect(answer.status).toBe(400)
  })

  test('any origin may send requests, as over REST, and no cookie is set or needed', async () => {
    const preflight = await app.ask('/graphql', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    })
    const answer = await send('{ plans { name } }', {
      headers: { origin: 'https://shop.example', cookie: 'a=b' },
    })

    expect(preflight.status).toBe(204)
    expect(preflight.headers['access-control-allow-headers']).toBe('authorization,content-type')
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test('a query can be persisted under its hash and then sent by its hash alone', async () => {
    const query = '{ plans { name requestsPerDay } }'
    const sha256Hash = createHash('sha256').update(query).digest('hex')
    const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash } })
    const byHash = () => project.get(`/graphql?${new URLSearchParams({ extensions })}`)

    const unknown = await byHash()
    await send(query, { extensions: JSON.parse(extensions) })
    const known = await byHash()
    const wrong = await send('{ __typename }', { extensions: JSON.parse(extensions) })

    expect(unknown.json).toMatchObject({
      errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
    })
    expect(known.json).toMatchObject({
      data: { plans: [{ name: 'free', requestsPerDay: 1000 }, {}, {}, {}] },
    })
    expect(wrong.status).toBe(400)
  })

  test.each([
    ['{', 'application/json', 400, 'malformed_request'],
    ['[]', 'application/json', 400, 'malformed_request'],
    ['null', 'application/json', 400, 'malformed_request'],
    ['"{ __typename }"', 'application/json', 400, 'malformed_request'],
    ['5', 'application/json', 400, 'malformed_request'],
    ['{"query":5}', 'application/json', 400, 'malformed_request'],
    ['{"query":"{"}', 'application/json', 400, 'malformed_request'],
    ['{"query":"{ nothing }"}', 'application/json', 400, 'malformed_request'],
    ['{"query":"{ __typename }","operationName":"Other"}', 'application/json', 400, 'malformed_request'],
    ['query', 'text/plain', 415, 'unsupported_media_type'],
    [`{"query":"${'#'.repeat(70_000)}"}`, 'application/json', 413, 'body_too_large'],
  ])('the body %.40s of type %s gets a %d with the code %s', async (body, type, status, code) => {
    const answer = await project.post('/graphql', body, { 'content-type': type })

    expect(answer.status).toBe(status)
    expect(answer.json).toMatchObject({ errors: [{ extensions: { code, status } }] })
  })

  test('a body that is not UTF-8 is rejected', async () => {
    const query = 'mutation { createPet(input: { name: "Caf\xe9", categoryId: 1 }) { name } }'
    const { status, json } = await project.ask('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
      body: Buffer.from(JSON.stringify({ query }), 'latin1'),
    })

    expect([status, json]).toMatchObject([400, { errors: [{ extensions: { code: 'malformed_request' } }] }])
  })

  test('the answer lists all faults of an operation', async () => {
    const { errors } = await send('{ pets { nodes { age colour } } nothing }')

    expect(errors).toHaveLength(3)
    expect(errors[0]?.extensions).toEqual({ code: 'malformed_request', status: 400 })
  })

  test('an internal error is masked and holds the id of the request', async () => {
    const own = await startApp()
    const { secret } = await own.makeProject()
    own.tools.db.plan.findMany = (() => Promise.reject(new Error('the password is hunter2'))) as never
    const line = vi.spyOn(own.tools.log, 'error').mockImplementation(() => {})

    const answer = await sendGraphql(own.url, secret, '{ plans { name } }')
    await own.stop()

    expect(answer.errors).toMatchObject([
      { extensions: { code: 'internal_error', status: 500, requestId: answer.headers['x-request-id'] } },
    ])
    expect(answer.text).not.toContain('hunter2')
    // The error is logged once, with its cause and the request id of the answer.
    expect(line.mock.calls).toMatchObject([
      [
        {
          requestId: answer.headers['x-request-id'],
          path: ['plans'],
          error: { message: 'the password is hunter2' },
        },
        'unhandled error',
      ],
    ])
  })

  test('introspection and the page for browsers can be switched off', async () => {
    const own = await startApp({ env: { GRAPHQL_INTROSPECTION: '0', GRAPHQL_SANDBOX: '0' } })
    const { secret } = await own.makeProject()
    const look = await sendGraphql(own.url, secret, '{ __schema { types { name } } }')
    const page = await own.ask('/graphql', { headers: { accept: 'text/html' } })
    await own.stop()

    expect(codesOf(look)[0]).toBe('malformed_request')
    expect(page.status).not.toBe(200)
  })
})
