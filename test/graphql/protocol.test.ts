import { createHash } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, freshRedis } from '../support/databases.ts'
import { codesOf, graphqlOf, sendGraphql } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
/** Another process of the same service. */
let other: App
let redisUrl: string | null
let project: TestProject
let send: ReturnType<typeof graphqlOf>
beforeAll(async () => {
  const database = await freshDatabase()
  redisUrl = await freshRedis()
  const env = { ...database.env, ...(redisUrl && { REDIS_URL: redisUrl }) }
  app = await startApp({ env })
  if (redisUrl && database.env.DATABASE_URL) other = await startApp({ env })
  project = await app.makeProject()
  send = graphqlOf(app, project)
})
afterAll(() => Promise.all([app.stop(), other?.stop()]))

const namesOf = async (of: TestProject) =>
  (await graphqlOf(app, of)('{ pets(first: 100) { nodes { name } } }')).data.pets.nodes.map(
    (pet: { name: string }) => pet.name,
  )
describe('X-Explain-Cost', () => {
  const list = '{ a: pets(first: 10) { nodes { id } } plans { name } }'

  test('X-Explain-Cost: 1 adds the cost to the answer each time', async () => {
    for (const query of ['{ pets(first: 10) { nodes { id } } }', list]) {
      for (let i = 0; i < 3; i++) {
        const explained = await send(query, { headers: { 'x-explain-cost': '1' } })
        const plain = await send(query)

        expect(explained.extensions.cost).toMatchObject({ storeRequests: 1, maxUnits: 28_000 })
        expect(explained.data).toEqual(plain.data)
        expect(plain.extensions).toEqual({})
      }
    }
  })

  test('X-Explain-Cost: only returns the cost, runs nothing and costs one management request', async () => {
    const own = await app.makeProject()
    const query = 'mutation { createPet(input: { name: "Never", categoryId: 1 }) { id } }'

    const onlyExplained = await graphqlOf(app, own)(query, { headers: { 'x-explain-cost': 'only' } })

    expect(onlyExplained.status).toBe(200)
    expect(onlyExplained.data).toBeNull()
    expect(onlyExplained.errors).toEqual([])
    expect(onlyExplained.extensions.cost).toMatchObject({ storeRequests: 1, managementRequests: 0 })
    expect(onlyExplained.headers).toMatchObject({
      'x-ratelimit-limit': '300',
      'x-ratelimit-remaining': '299',
    })
    expect(await namesOf(own)).toEqual([])
  })

  test('X-Explain-Cost: only returns the cost of an operation that is too large to run', async () => {
    const large = '{ a: apiKeys(first: 100) { nodes { name deprecatedUse { field } } }'
    const query = `${large} ${Array.from({ length: 15 }, (_, i) => `p${i}: pets(first: 100) { nodes { name } edges { node { name } } }`).join(' ')} }`

    const refused = await send(query)
    const onlyExplained = await send(query, { headers: { 'x-explain-cost': 'only' } })

    expect(codesOf(refused)).toEqual(['operation_too_complex'])
    const { units, maxUnits } = onlyExplained.extensions.cost as Record<string, number>
    expect(units).toBeGreaterThan(maxUnits ?? 0)
  })

  test('an unknown value of X-Explain-Cost is refused with 400', async () => {
    const refused = await send(list, { headers: { 'x-explain-cost': 'yes' } })

    expect(refused.status).toBe(400)
    expect(refused.errors[0]?.extensions.details).toMatchObject([{ field: 'X-Explain-Cost' }])
  })

  test('X-Explain-Cost may be sent by a page of any origin', async () => {
    const preflight = await app.ask('/graphql', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-explain-cost,idempotency-key',
      },
    })

    expect(preflight.headers['access-control-allow-headers']).toBe('x-explain-cost,idempotency-key')
  })
})

test('the X-RateLimit headers of a mixed operation show the store budget, even if less of the management budget is left', async () => {
  const own = await app.makeProject({ plan: 'enterprise', perMinute: 1000, perDay: 5000 })

  const { headers } = await graphqlOf(app, own)('{ pets { nodes { id } } project { slug } }')

  expect(headers).toMatchObject({ 'x-ratelimit-limit': '1000', 'x-ratelimit-remaining': '999' })
  expect(headers.ratelimit).toContain('"management";r=299')
})

describe('the header Idempotency-Key', () => {
  test('an operation with __typename and one mutation may have an Idempotency-Key', async () => {
    const own = await app.makeProject()
    const query = 'mutation { __typename createPet(input: { name: "Luna", categoryId: 1 }) { id } }'
    const once = () => graphqlOf(app, own)(query, { headers: { 'idempotency-key': 'one' } })

    const [first, second] = [await once(), await once()]

    expect(second.data.createPet.id).toBe(first.data.createPet.id)
  })

  const create = 'mutation($name: String!) { createPet(input: { name: $name, categoryId: 1 }) { id } }'
  const withKey = (key: string, name: string) => ({
    headers: { 'idempotency-key': key },
    variables: { name },
  })

  test.each(['createPet(input: { name: "Luna", categoryId: 1 })', 'placeOrder(input: { petId: PET })'])(
    'Idempotent-Replayed marks a repeated %s, as over REST',
    async mutation => {
      const own = await app.makeProject()
      const pet = { name: 'Rex', categoryId: 1, status: 'available' }
      const { id } = (await own.post('/v1/pets', pet)).json as { id: number }
      const query = `mutation { ${mutation.replace('PET', String(id))} { id } }`
      const once = () => graphqlOf(app, own)(query, { headers: { 'idempotency-key': 'one' } })

      const answers = [await once(), await once()]

      expect(answers.map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true'])
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    },
  )

  test('a pet is created once if REST, the GraphQL header and the argument idempotencyKey repeat one idempotency key', async () => {
    const own = await app.makeProject()
    const once = graphqlOf(app, own)

    const first = await once(create, withKey('one', 'Luna'))
    const again = await once(create, withKey('one', 'Luna'))
    const rest = await own.post('/v1/pets', { name: 'Luna', categoryId: 1 }, { 'idempotency-key': 'one' })
    const argument = await once(
      'mutation { createPet(input: { name: "Luna", categoryId: 1 }, idempotencyKey: "one") { id } }',
    )
    const different = await once(create, withKey('one', 'Rex'))

    const { id } = first.data.createPet
    expect([again.data.createPet.id, argument.data.createPet.id]).toEqual([id, id])
    expect(String((rest.json as { id: number }).id)).toBe(id)
    expect(codesOf(different)).toEqual(['idempotency_mismatch'])
    expect(await namesOf(own)).toEqual(['Luna'])
  })

  test.each([
    '{ pets { nodes { id } } }',
    '{ __typename }',
    'mutation { issueApiKey(input: { name: "x", scopes: [pets_read] }) { secret } }',
    'mutation { a: createPet(input: { name: "A", categoryId: 1 }) { id } b: createPet(input: { name: "B", categoryId: 1 }) { id } }',
    'mutation { createPet(input: { name: "A", categoryId: 1 }, idempotencyKey: "two") { id } }',
  ])('Idempotency-Key with %s is rejected, and nothing runs', async query => {
    const own = await app.makeProject()
    // Send the query without the header first, so that the answer may be cached. A request with the header must not get
    // the cached answer.
    if (query.startsWith('{')) for (let i = 0; i < 3; i++) await graphqlOf(app, own)(query)

    const refused = await graphqlOf(app, own)(query, { headers: { 'idempotency-key': 'two' } })

    expect(codesOf(refused)).toEqual(['invalid_input'])
    expect(refused.errors[0]?.extensions.details).toMatchObject([{ field: 'Idempotency-Key' }])
    expect(await namesOf(own)).toEqual([])
    expect(await app.tools.db.apiKey.count({ where: { projectId: own.project.id } })).toBe(1)
  })

  test.each([
    ['sent twice', ['one', 'two']],
    ['too long', ['x'.repeat(256)]],
  ])('an Idempotency-Key that is %s is rejected', async (_what, keys) => {
    const answer = await project.ask('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': keys },
      body: JSON.stringify({ query: create, variables: { name: 'Luna' } }),
    })

    expect(answer.text).toContain('invalid_input')
    expect(answer.text).toContain('Idempotency-Key')
  })
})

describe('persisted queries', () => {
  const query = '{ plans { name customDomains } }'
  const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
  const extensionsOf = (sha256Hash: unknown) => ({ persistedQuery: { version: 1, sha256Hash } })
  const askOther = (extensions: unknown) => sendGraphql(other.url, project.secret, undefined, { extensions })

  test('a query that one process has persisted is found by every process', async ({ skip }) => {
    if (!other) return skip('redis-server or PostgreSQL is not installed')
    const extensions = extensionsOf(hashOf(query))
    expect(codesOf(await askOther(extensions))).toEqual(['PERSISTED_QUERY_NOT_FOUND'])

    await send(query, { extensions })

    await expect.poll(async () => (await askOther(extensions)).data?.plans?.length).toBe(4)
  })

  test('a persisted query in Redis whose text does not match its hash is treated as not found', async ({
    skip,
  }) => {
    if (!other || !redisUrl) return skip('redis-server or PostgreSQL is not installed')
    const text = '{ plans { name } caller { operator } }'
    const extensions = extensionsOf(hashOf(text))
    await send(text, { extensions })
    const redis = new Redis(redisUrl)
    const places = await redis.keys('*persisted-query*')
    for (const place of places) await redis.set(place, '{ plans { requestsPerDay } }')
    redis.disconnect()

    expect(places.length).toBeGreaterThan(0)
    expect(codesOf(await askOther(extensions))).toEqual(['PERSISTED_QUERY_NOT_FOUND'])
  })

  test.each(['', 'x', '../..', 5, {}, null])('no persisted query is found by the hash %j', async hash => {
    const answer = await sendGraphql(app.url, project.secret, undefined, {
      extensions: extensionsOf(hash),
    })

    expect(answer.status).toBeLessThan(500)
    expect(answer.errors).toHaveLength(1)
  })
})

test.each([
  [400, false],
  [600, true],
])('an error message quotes at most 500 characters of the request: %i', async (size, isCut) => {
  const { errors } = await send(`{ ${'x'.repeat(size)} }`)

  const { message = '' } = errors[0] ?? {}
  expect(message.startsWith('Cannot query field "xxx')).toBe(true)
  expect([message.length === 503, message.endsWith('...')]).toEqual([isCut, isCut])
})

describe('more than ten faults', () => {
  const fifteen = Array.from({ length: 15 }, (_, i) => `nothing${i}`)

  test('an operation with more than ten faults gets the first ten and a note', async () => {
    const { errors } = await send(`{ ${fifteen.join(' ')} }`)

    expect(errors).toHaveLength(11)
    expect(errors[0]?.message).toContain('nothing0')
    expect(errors[10]?.message).toBe('The operation has more than 10 faults; these are the first.')
  })

  test('variables with more than ten faults get the first ten and a note', async () => {
    const input = Object.fromEntries(fifteen.map(name => [name, 1]))
    const { errors } = await send('mutation($input: NewPet!) { createPet(input: $input) { id } }', {
      variables: { input: { name: 'x', categoryId: 1, ...input } },
    })

    expect(errors).toHaveLength(11)
    expect(errors[10]?.message).toBe('variables have more faults than these.')
  })
})

// Each of GraphQL's errors about a variable quotes the whole variable.
test('an input object with more than fifty members is refused at the price of one request, before GraphQL reads the members', async () => {
  const query = 'mutation($input: PetsDeleteInput!) { petsDelete(input: $input) { deleted } }'
  const ask = (filter: object) => send(query, { variables: { input: { ids: ['1'], filter } } })
  const unknown = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`_${n}`, 1]))

  const [most, large, unused] = [
    await ask(unknown(50)),
    await ask(unknown(51)),
    await send('query($first: Int) { pets(first: $first) { nodes { id } } }', {
      variables: { first: 1, unused: unknown(51) },
    }),
  ]

  expect(most.errors).toHaveLength(11)
  expect(large.errors).toMatchObject([
    {
      extensions: {
        code: 'invalid_input',
        details: [{ field: 'input.filter', message: 'has more than 50 members' }],
      },
    },
  ])
  expect(unused.errors).toEqual([])
  const left = [most, large, unused].map(({ headers }) => Number(headers['x-ratelimit-remaining']))
  expect(left).toEqual([0, 1, 2].map(n => Number(left[0]) - n))
})

test('a request with an empty Authorization header may read the schema and nothing more', async () => {
  const headers = { authorization: '' }

  expect((await sendGraphql(app.url, null, '{ __typename }', { headers })).status).toBe(200)
  expect((await sendGraphql(app.url, null, '{ plans { name } }', { headers })).status).toBe(401)
})
