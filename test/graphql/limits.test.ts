import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codesOf, graphqlOf } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App

beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const small = (perMinute: number) => app.makeProject({ plan: 'enterprise', perMinute, perDay: 1000 })
const remaining = async (project: TestProject) => {
  const { windows } = (await project.get('/v1/rate-limit')).json as {
    windows: { name: string; remaining: number }[]
  }
  return windows.find(window => window.name === 'minute')?.remaining
}

describe('the budget over GraphQL', () => {
  test('REST and GraphQL share one budget', async () => {
    const project = await small(10)
    const send = graphqlOf(app, project)

    await project.get('/v1/pets')
    const answer = await send('{ pets { nodes { id } } }')

    expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '8' })
    expect(answer.headers.ratelimit).toMatch(/^"minute";r=8;t=\d+, "day";r=998;t=\d+$/)
    expect(await remaining(project)).toBe(8)
  })

  test.each([
    ['{ pets { nodes { id } } }', 1],
    ['{ a: pets { nodes { id } } b: pets { nodes { id } } }', 2],
    ['{ pets { nodes { id } } pets { nodes { name } } }', 1],
    [
      '{ ...A ...B } fragment A on Query { a: pets { nodes { id } } } fragment B on Query { a: pets { nodes { id } } b: getPet(petId: 1) { id } }',
      2,
    ],
    ['{ pets @skip(if: true) { nodes { id } } b: pets { nodes { id } } }', 1],
    ['query($no: Boolean = false) { pets @include(if: $no) { nodes { id } } b: pets { nodes { id } } }', 1],
    ['{ __schema { queryType { name } } __typename rateLimit { plan } }', 0],
    [
      '{ project { slug } plans { name } apiKeys { nodes { id } } usage { requests } caller { operator } }',
      0,
    ],
    [
      'mutation { a: createPet(input: { name: "A", categoryId: 1 }) { id } b: createPet(input: { name: "", categoryId: 1 }) { id } }',
      2,
    ],
    ['{ nothing }', 1],
    ['{', 1],
  ])('%s costs %d store requests', async (query, cost) => {
    const project = await small(100)

    await graphqlOf(app, project)(query)

    expect(await remaining(project)).toBe(100 - cost)
  })

  test.each([
    ['the id of a node', 'query Q($id: ID!) { node(id: $id) { id } }', [{ id: '7' }, { id: 'plan_free' }]],
    [
      'a skipped root field',
      'query Q($all: Boolean!) { a: pets(first: 1) { nodes { id } } b: pets(first: 1) @include(if: $all) { nodes { id } } }',
      [{ all: false }, { all: true }],
    ],
    [
      'a skipped field on a lower level',
      'query Q($all: Boolean!) { project { slug apiKeys @include(if: $all) { nodes { id } } } }',
      [{ all: false }, { all: true }],
    ],
    ['the size of a page', 'query Q($n: Int!) { pets(first: $n) { nodes { id } } }', [{ n: 1 }, { n: 50 }]],
  ])('the cost of a repeated operation is computed from its variables: %s', async (_, query, given) => {
    const own = await small(100)
    const costOf = async (variables: object, text: string) =>
      (await graphqlOf(app, own)(text, { variables, headers: { 'x-explain-cost': 'only' } })).extensions.cost
    // A new name makes the text new, so that it is not cached.
    const alone = await Promise.all(
      given.map((variables, n) => costOf(variables, query.replace('Q', `Q${n}`))),
    )

    const inTurn = []
    for (const variables of [...given, ...given]) inTurn.push(await costOf(variables, query))

    expect(alone[0]).not.toEqual(alone[1])
    expect(inTurn).toEqual([...alone, ...alone])
  })

  test('node is charged only for the selected fields of the type that its id names, and not for fragments on other types', async () => {
    const project = await small(10)
    const id = `project_${project.project.slug}`
    const send = graphqlOf(app, project)

    const found = await send(
      `{ node(id: "${id}") { ... on Domain { a: verdict { code } } ... on Project { a: pets { nodes { id } } } } }`,
    )

    expect(found.data.node).toEqual({ a: { nodes: [] } })
    expect(await remaining(project)).toBe(9)
  })

  test('an operation beyond the budget gets a 429 with the headers of REST and changes nothing', async () => {
    const project = await small(3)
    await project.get('/v1/pets')
    const send = graphqlOf(app, project)
    const query =
      'mutation { a: createPet(input: { name: "A", categoryId: 1 }) { id } b: createPet(input: { name: "B", categoryId: 1 }) { id } c: createPet(input: { name: "C", categoryId: 1 }) { id } }'

    const refused = await send(query, { headers: { accept: 'application/json' } })

    expect(refused.status).toBe(429)
    expect(refused.data).toBeNull()
    expect(refused.errors).toMatchObject([{ extensions: { code: 'rate_limited', status: 429 } }])
    expect(Number(refused.headers['retry-after'])).toBe(refused.errors[0]?.extensions.retryAfterSeconds)
    expect(refused.headers).toMatchObject({ 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': '2' })
    expect((await project.get('/v1/pets')).json).toEqual([])
  })

  test('a mutation that selects pets in its answer is refused once the store budget is used up', async () => {
    const project = await small(1)
    const send = graphqlOf(app, project)
    await project.get('/v1/pets')

    const { errors, data } = await send(
      'mutation { projectSetLeakedKeys(input: { leakedKeys: tell }) { project { pets { nodes { id } } } } }',
    )

    expect(codesOf({ errors })).toEqual(['rate_limited'])
    expect(data).toBeFalsy()
  })

  test('an owner can read the budget and manage the project while the store budget is used up', async () => {
    const project = await small(1)
    const send = graphqlOf(app, project)
    await project.get('/v1/pets')

    const look = await send('{ rateLimit { minute { remaining } ban { endsAt } } }')
    const manage = await send('{ project { slug } apiKeys { nodes { id } } }')

    expect(look.data.rateLimit).toEqual({ minute: { remaining: 0 }, ban: null })
    expect(manage.status).toBe(200)
    expect(manage.headers).toMatchObject({ 'x-ratelimit-limit': '300', 'x-ratelimit-remaining': '298' })
    expect(manage.headers['ratelimit-policy']).toBe('"management";q=300;w=60')
  })

  test.each([
    '{ pets { nodes { id } } }',
    '{ project { slug } }',
    '{ __schema { queryType { name } } }',
    '{ __typename }',
    '{ rateLimit { plan } plans { name } }',
    'mutation { issueApiKey(input: { name: "x", scopes: [pets_read] }) { secret } }',
    '{ nothing }',
  ])('a banned key cannot run %s, but can read the end of its ban', async query => {
    const project = await small(1)
    const send = graphqlOf(app, project)
    for (let i = 0; i < 6; i++) await project.get('/v1/pets')

    const banned = await send(query)
    const look = await send('{ rateLimit { ban { retryAfterSeconds } } }')
    const other = await graphqlOf(app, await project.issueKey())('{ plans { name } }')

    expect(banned.status).toBe(429)
    expect(codesOf(banned)).toEqual(['key_banned'])
    expect(banned.headers).toMatchObject({ 'x-ratelimit-remaining': '0' })
    const resetIn = Number(banned.headers['x-ratelimit-reset']) - Date.now() / 1000
    expect(Math.abs(resetIn - Number(banned.headers['retry-after']))).toBeLessThan(2)
    expect(look.data.rateLimit.ban.retryAfterSeconds).toBeGreaterThan(200)
    expect(other.status).toBe(200)
  })

  test('repeated requests beyond the management budget ban a key', async () => {
    const project = await small(1)
    const send = graphqlOf(app, project)
    const twenty = `{ ${Array.from({ length: 20 }, (_, i) => `p${i}: plans { name }`).join(' ')} }`
    for (let i = 0; i < 15; i++) await send(twenty)

    const codes: string[] = []
    for (let i = 0; i < 5; i++) codes.push(...codesOf(await send('{ plans { name } }')))

    expect(codes).toEqual([...Array(3).fill('rate_limited'), 'key_banned', 'key_banned'])
  })

  test.each([
    ['{ __typename }', 1],
    ['{ __schema { queryType { name } } }', 1],
    ['{ a: __schema { queryType { name } } b: __type(name: "Pet") { name } __typename }', 2],
    ['{ plans { name } __typename rateLimit { plan } }', 1],
    ['{ pets { nodes { id } } __typename rateLimit { plan } }', 0],
    ['{ pets { nodes { id } } __schema { queryType { name } } }', 1],
    ['{ rateLimit { plan } __typename }', 0],
  ])('each of several identical queries %s costs %d management requests', async (query, cost) => {
    const project = await small(100)
    const send = graphqlOf(app, project)

    for (let i = 0; i < 3; i++) await send(query)

    const { rateLimit } = (await send('{ rateLimit { management { remaining } } }')).data
    expect(rateLimit).toEqual({ management: { remaining: 300 - 3 * cost } })
  })

  test('reading the budget is free 60 times a minute and then costs one management request', async () => {
    const project = await small(100)
    const look = () => graphqlOf(app, project)('{ rateLimit { management { remaining } } }')
    for (let i = 0; i < 60; i++) expect((await look()).headers['x-ratelimit-limit']).toBe('100')

    const further = await look()

    expect(further.headers).toMatchObject({ 'x-ratelimit-limit': '300', 'x-ratelimit-remaining': '299' })
    expect(further.data.rateLimit.management.remaining).toBe(299)
    expect(await remaining(project)).toBe(100)
  })

  test('a banned key can read its budget at most 60 times a minute', async () => {
    const project = await small(1)
    const look = () => graphqlOf(app, project)('{ rateLimit { ban { endsAt } } }')
    for (let i = 0; i < 6; i++) await project.get('/v1/pets')
    for (let i = 0; i < 60; i++) expect((await look()).status).toBe(200)

    expect(codesOf(await look())).toEqual(['key_banned'])
  })

  test('300 management root fields a minute pass, the next one is refused, and none of them takes from the store budget', async () => {
    const project = await small(100)
    const send = graphqlOf(app, project)
    const twenty = `{ ${Array.from({ length: 20 }, (_, i) => `p${i}: plans { name }`).join(' ')} }`

    for (let i = 0; i < 15; i++) expect((await send(twenty)).status).toBe(200)
    const over = await send('{ plans { name } }')
    const store = await send('{ pets { nodes { id } } }')

    expect(over.status).toBe(429)
    expect(codesOf(over)).toEqual(['rate_limited'])
    expect(store.status).toBe(200)
    expect(await remaining(project)).toBe(99)
  })

  test('an operation that uses both budgets is charged to both, and its headers show both', async () => {
    const project = await small(100)
    const send = graphqlOf(app, project)

    const mixed = await send('{ pets { nodes { id } } project { slug } }', { extensions: { cost: true } })

    expect(mixed.headers['ratelimit-policy']).toBe(
      '"minute";q=100;w=60, "day";q=1000;w=86400, "management";q=300;w=60',
    )
    expect(mixed.extensions.cost).toMatchObject({
      storeRequests: 1,
      managementRequests: 1,
      maxUnits: 28_000,
    })
    const { rateLimit } = (
      await send('{ rateLimit { minute { remaining } management { remaining limit } } }')
    ).data
    expect(rateLimit).toEqual({ minute: { remaining: 99 }, management: { remaining: 299, limit: 300 } })
  })

  test('an operation that one budget rejects takes nothing from the other budget', async () => {
    const project = await small(1)
    const send = graphqlOf(app, project)
    await send('{ pets { nodes { id } } }')

    const refused = await send('{ pets { nodes { id } } project { slug } }')

    expect(refused.status).toBe(429)
    const { rateLimit } = (await send('{ rateLimit { management { remaining } } }')).data
    expect(rateLimit).toEqual({ management: { remaining: 300 } })
  })

  test('the cost is returned only on request', async () => {
    const project = await small(100)

    expect((await graphqlOf(app, project)('{ pets { nodes { id } } }')).extensions).toEqual({})
  })
})
