import { readFileSync } from 'node:fs'
import { buildSchema, isInterfaceType, isNonNullType, isObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codesOf, graphqlOf, sendGraphql } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-of-the-tests-0123456789abcdef'
const contract = buildSchema(readFileSync('schema.graphql', 'utf8'))
let app: App
let store: TestProject
let send: ReturnType<typeof graphqlOf>

beforeAll(async () => {
  app = await startApp({ env: { OPERATOR_KEY: operatorKey } })
  store = await app.makeProject()
  send = graphqlOf(app, store)
  await send('mutation { deploy(input: { title: "Shop" }) { id } }')
  await send('mutation { addDomain(input: { name: "www.graph.test" }) { domain { id } } }')
  for (const name of ['Luna', 'Rex']) await store.post('/v1/pets', { name, categoryId: 1 })
})
afterAll(() => app.stop())

const asOperator = (query: string, variables?: unknown) =>
  sendGraphql(app.url, operatorKey, query, { variables })
const things = `{
  pets { nodes { id } }
  project { id plan { id } apiKeys { nodes { id } } domains { nodes { id } } deploys { nodes { id } } }
  rateLimit { id }
}`
const idsIn = (text: string) => [...text.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id ?? '')

test("an operator finds each project's objects by their ids, even if several projects have similar objects", async () => {
  const second = await app.makeProject()
  const sendSecond = graphqlOf(app, second)
  await sendSecond('mutation { deploy(input: { title: "Second" }) { id } }')
  await sendSecond('mutation { addDomain(input: { name: "www.second.test" }) { domain { id } } }')
  for (const ask of [send, sendSecond]) {
    const { data } = await ask(`{ project {
      apiKeys { nodes { id } } domains { nodes { id name } } deploys { nodes { id configuration { title } } }
    } }`)
    const { apiKeys, domains, deploys } = data.project
    const things = [apiKeys, domains, deploys].map(({ nodes: [node] }) => node)
    const [key, domain, deployed] = things.map(({ id }) => id)

    const found = await asOperator(`{
      key: node(id: "${key}") { id } domain: node(id: "${domain}") { id ... on Domain { name } }
      deploy: node(id: "${deployed}") { id ... on Deploy { configuration { title } } }
    }`)

    expect(Object.values(found.data)).toEqual(things)
  }
})

test('a cursor is valid only for the list that it comes from', async () => {
  await send('mutation { setCategory(categoryId: 1, name: "Dogs") { id } }')
  const [pet] = (await send('{ pets(first: 1) { nodes { id } } }')).data.pets.nodes
  await send(`mutation { placeOrder(input: { petId: "${pet.id}" }) { id } }`)
  const lists = {
    pets: '',
    newest: 'sort: newest_first',
    categories: '',
    orders: '',
    apiKeys: '',
    deploys: '',
    domains: '',
    filtered: 'name: "graph"',
  }
  const fields: Record<string, string> = { newest: 'pets', filtered: 'domains' }
  const page = (name: keyof typeof lists, more: string) =>
    `{ page: ${fields[name] ?? name}(first: 1, ${lists[name]} ${more}) { edges { cursor } } }`

  const names = Object.keys(lists) as (keyof typeof lists)[]
  const cursors = new Map<string, string>()
  for (const name of names) cursors.set(name, (await send(page(name, ''))).data.page.edges[0].cursor)
  for (const name of names) {
    for (const [from, cursor] of cursors) {
      const { errors } = await send(page(name, `after: "${cursor}"`))
      const refusal = errors.map(({ extensions }) => [extensions.code, extensions.details?.[0]?.field])
      expect([name, from, refusal]).toEqual([name, from, name === from ? [] : [['invalid_input', 'after']]])
    }
  }
})

test('a failing root field leaves the answers of the other root fields intact', async () => {
  const { status, data, errors } = await send(`mutation {
    a: issueApiKey(input: { name: "kept", scopes: [pets_read] }) { secret }
    b: addDomain(input: { name: "not a name" }) { domain { id } }
  }`)

  expect(status).toBe(200)
  expect(data.a.secret).toMatch(/^as_/)
  expect(data.b).toBeNull()
  expect(errors).toMatchObject([{ path: ['b'], extensions: { code: 'invalid_input' } }])
})

test('every root field is nullable', () => {
  const roots = [contract.getQueryType(), contract.getMutationType()].filter(isObjectType)
  const strict = roots.flatMap(type =>
    Object.values(type.getFields()).filter(field => isNonNullType(field.type)),
  )

  expect(strict.map(field => field.name)).toEqual([])
})

describe('ids', () => {
  test('ids are unique over all types, and the id of a pet is its number', async () => {
    const { text, data } = await send(things)

    const ids = idsIn(text)
    expect(new Set(ids).size).toBe(ids.length)
    expect(data.pets.nodes[0].id).toMatch(/^\d+$/)
    expect(ids.filter(id => !/^\d+$/.test(id)).map(id => id.split('_')[0])).toEqual(
      expect.arrayContaining(['project', 'plan', 'key', 'domain', 'deploy', 'budget']),
    )
  })

  test('every id leads back to its object', async () => {
    const ids = idsIn((await send(things)).text)

    for (const id of ids) {
      const { data } = await send('query($id: ID!) { node(id: $id) { id __typename } }', {
        variables: { id },
      })
      expect(data.node).toMatchObject({ id })
    }
    const typed = await send(
      'query($id: ID!) { node(id: $id) { ... on Domain { name } ... on Pet { name } } }',
      { variables: { id: ids.find(id => id.startsWith('domain_')) } },
    )
    expect(typed.data.node).toEqual({ name: 'www.graph.test' })
  })

  const nobodys = ['deploy_0', 'deploy_x', 'deploy_2147483648', 'deploy_9999999999', 'key_x', 'plan_none']
  const misspelled = [
    '',
    'projectX',
    'project_',
    'planX',
    'plan_',
    'keyX',
    'pets',
    'pet_1',
    'budgetX',
    'Plan_pro',
  ]

  test.each([...nobodys, ...misspelled])(
    'the unknown id %j leads to null for a key and for an operator',
    async id => {
      const query = 'query($id: ID!) { node(id: $id) { id } }'
      const answers = [await send(query, { variables: { id } }), await asOperator(query, { id })]

      for (const { data, errors } of answers)
        expect({ data, errors }).toEqual({ data: { node: null }, errors: [] })
    },
  )

  test.each(['-1', '99', '01', '9'.repeat(30)])('the id %j of a missing pet leads to null', async id => {
    const { data, errors } = await send('query($id: ID!) { node(id: $id) { id } }', { variables: { id } })

    expect({ data, errors }).toEqual({ data: { node: null }, errors: [] })
  })

  test('an id leads to its object only in its exact spelling', async () => {
    const { data } = await send('query($id: ID!) { node(id: $id) { id } }', {
      variables: { id: `key_${store.keyId.toUpperCase()}` },
    })

    expect(data).toEqual({ node: null })
  })

  test.each(['', 'project_', 'store'])(
    'a mutation with the unknown project id %j is rejected',
    async projectId => {
      const issue = 'mutation($input: NewApiKey!) { issueApiKey(input: $input) { secret } }'
      const input = { projectId, name: 'astray', scopes: ['pets_read'] }

      const answers = [await send(issue, { variables: { input } }), await asOperator(issue, { input })]

      expect(answers.flatMap(codesOf)).toEqual(['project_not_found', 'project_not_found'])
    },
  )

  test('a rollback to a deploy id beyond the range of the database gets deploy_not_found', async () => {
    const answer = await asOperator('mutation { rollback(to: "deploy_2147483648") { id } }')

    expect(codesOf(answer)).toEqual(['deploy_not_found'])
  })

  test('an empty slug gets project_not_found for a key and for an operator', async () => {
    const answers = [
      await send('{ project(slug: "") { id } }'),
      await asOperator('{ project(slug: "") { id } }'),
    ]

    expect(answers.flatMap(codesOf)).toEqual(['project_not_found', 'project_not_found'])
  })

  test('a pet that is read by node costs one store request and needs pets:read, like the pets of a project', async () => {
    const own = await app.makeProject()
    const { id } = (await own.post('/v1/pets', { name: 'Luna', categoryId: 1 })).json as { id: number }
    const left = (headers: Record<string, unknown>) => Number(headers['x-ratelimit-remaining'])

    const before = await graphqlOf(app, own)('{ rateLimit { minute { remaining } } }')
    const both = await graphqlOf(app, own)(`{ a: node(id: ${id}) { id } project { pets { nodes { id } } } }`)
    const after = await graphqlOf(app, own)('{ rateLimit { minute { remaining } } }')
    const blind = graphqlOf(app, await own.issueKey(['project:read']))

    expect(both.data.project.pets.nodes).toEqual([{ id: String(id) }])
    expect(before.data.rateLimit.minute.remaining - after.data.rateLimit.minute.remaining).toBe(2)
    expect(left(both.headers)).toBeGreaterThan(0)
    expect(codesOf(await blind(`{ node(id: ${id}) { id } }`))).toEqual(['insufficient_scope'])
    expect(codesOf(await blind('{ project { id pets { nodes { id } } } }'))).toEqual(['insufficient_scope'])
  })
})

describe('an operator', () => {
  test('an operator reads the usage and domains of all projects in one query, and the domains and deploys of one project by its slug', async () => {
    const all = await asOperator(
      '{ projects(first: 100) { nodes { slug usage(days: 1) { requests } domains(first: 5) { nodes { name } } } } }',
    )
    const one = await asOperator(
      'query($slug: String) { project(slug: $slug) { domain(name: "www.graph.test") { name } deploys { nodes { id } } } }',
      { slug: store.project.slug },
    )

    const found = all.data.projects.nodes.find((each: { slug: string }) => each.slug === store.project.slug)
    expect(found.domains.nodes).toEqual([{ name: 'www.graph.test' }])
    expect(one.data.project.domain).toEqual({ name: 'www.graph.test' })
    expect(codesOf(await asOperator('{ deploys { nodes { id } } }'))).toEqual(['invalid_input'])
  })

  test('an operator changes an object of any project by its id, and reads the pets of the project', async () => {
    const { slug } = store.project
    const { data } = await asOperator(
      'mutation($input: NewApiKey!) { issueApiKey(input: $input) { apiKey { id } } }',
      { input: { projectId: `project_${slug}`, name: 'found', scopes: ['pets_read'] } },
    )
    const { id } = data.issueApiKey.apiKey

    const revoked = await asOperator('mutation($id: ID!) { revokeApiKey(id: $id) { id state } }', { id })
    const pets = await asOperator(
      'query($slug: String) { project(slug: $slug) { slug pets { nodes { id } } } }',
      { slug },
    )

    expect(revoked.data.revokeApiKey).toEqual({ id, state: 'revoked' })
    expect(codesOf(pets)).toEqual([])
    expect(pets.data.project).toEqual({ slug, pets: { nodes: expect.any(Array) } })
  })

  test('setPlan returns the ids of project and plan, by which Relay and Apollo store them', async () => {
    const { slug } = store.project

    const { data } = await asOperator(
      'mutation($slug: String!) { setPlan(project: $slug, plan: business) { id plan { id name } } }',
      { slug },
    )

    expect(data.setPlan).toEqual({ id: `project_${slug}`, plan: { id: 'plan_business', name: 'business' } })
  })
})

test('the schema has the interface Node', () => {
  expect(isInterfaceType(contract.getType('Node'))).toBe(true)
})
