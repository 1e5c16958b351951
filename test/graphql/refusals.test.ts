import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Question } from '../support/ask.ts'
import { sendGraphql } from '../support/graphql.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const small = (perMinute: number) => app.makeProject({ plan: 'enterprise', perMinute, perDay: 1000 })
const preferred = 'application/graphql-response+json, application/json;q=0.9'
const post = (body: string, type = 'application/json'): Question => ({
  method: 'POST',
  headers: { 'content-type': type, accept: preferred },
  body,
})
const get = (query: Record<string, string>): [string, Question] => [
  `/graphql?${new URLSearchParams(query)}`,
  { headers: { accept: preferred } },
]
const unknownHash = createHash('sha256').update('never sent').digest('hex')
const byHash = JSON.stringify({ persistedQuery: { version: 1, sha256Hash: unknownHash } })
const mutation = 'mutation { createPet(input: { name: "A", categoryId: 1 }) { id } }'

/** Requests that contain no operation to run. */
const unreadable: [string, string, Question, number][] = [
  ['an empty body', '/graphql', post(''), 400],
  ['a body that is null', '/graphql', post('null'), 400],
  ['a body that is not JSON', '/graphql', post('{'), 400],
  ['a batch', '/graphql', post('[{"query":"{ __typename }"}]'), 400],
  ['a query that is a number', '/graphql', post('{"query":1}'), 400],
  ['an unknown persisted query', '/graphql', post(`{"extensions":${byHash}}`), 200],
  ['an unknown persisted query by GET', ...get({ extensions: byHash }), 200],
  ['a body that is too large', '/graphql', post(`{"query":"${'#'.repeat(70_000)}"}`), 413],
  ['a body of another media type', '/graphql', post('{ __typename }', 'application/graphql'), 415],
  ['the method PUT', '/graphql', { method: 'PUT', headers: { accept: preferred } }, 405],
  ['a mutation by GET', ...get({ query: mutation }), 405],
  ['a GET without a query', ...get({}), 400],
  [
    'an Accept without a supported type',
    '/graphql',
    { ...post('{"query":"{ __typename }"}'), headers: { accept: 'image/png' } },
    406,
  ],
]

describe.each(unreadable)('%s', (_name, path, question, status) => {
  test('a request without an operation costs one request, and caches may not store its GraphQL error', async () => {
    const project = await small(10)

    const answer = await project.ask(path, question)

    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject({
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': '9',
      'cache-control': 'no-store',
    })
    const type = status === 406 ? 'application/json' : 'application/graphql-response+json'
    expect(answer.headers['content-type']).toBe(`${type}; charset=utf-8`)
    expect(answer.text).toContain('"errors"')
  })

  test('a request without an operation gets a 429 if the budget is used up', async () => {
    const project = await small(1)
    await project.get('/v1/pets')

    const answer = await project.ask(path, question)

    expect(answer.status).toBe(429)
    expect(answer.headers['x-ratelimit-remaining']).toBe('0')
    expect(answer.json).toMatchObject({ errors: [{ extensions: { code: 'rate_limited', status: 429 } }] })
  })
})

test.each(['image/png', 'text/html', 'application/xml, */*;q=0', 'multipart/mixed'])(
  'an operation with Accept: %s does not run, because its answer could not be sent',
  async accept => {
    const project = await app.makeProject()
    const query = `mutation { createPet(input: { name: "A", categoryId: 1 }) { id }
      issueApiKey(input: { name: "lost", scopes: [pets_read] }) { secret } }`

    const answer = await sendGraphql(app.url, project.secret, query, { headers: { accept } })

    expect(answer.status).toBe(406)
    expect(answer.errors).toMatchObject([{ extensions: { code: 'not_acceptable', status: 406 } }])
    const where = { projectId: project.project.id }
    expect(await app.tools.db.pet.count({ where })).toBe(0)
    expect(await app.tools.db.apiKey.count({ where })).toBe(1)
  },
)

test.each([
  ['application/json', 'application/json'],
  ['application/graphql-response+json', 'application/graphql-response+json'],
  [preferred, 'application/graphql-response+json'],
  ['application/json, application/graphql-response+json;q=0.9', 'application/json'],
  ['*/*', 'application/json'],
])('a request with Accept: %s and a wrong key gets the error as %s', async (accept, type) => {
  const answer = await sendGraphql(app.url, `as_${'0'.repeat(34)}`, '{ plans { name } }', {
    headers: { accept },
  })

  expect(answer.status).toBe(401)
  expect(answer.headers['content-type']).toBe(`${type}; charset=utf-8`)
})
