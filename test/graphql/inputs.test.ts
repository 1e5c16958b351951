import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codesOf, graphqlOf, sendGraphql } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-of-the-inputs-0123456789abcdef'
const now = Date.parse('2027-03-04T05:06:07.890Z')
let app: App
let store: TestProject
let send: ReturnType<typeof graphqlOf>
beforeAll(async () => {
  const clock = { now: () => now, aheadMs: () => now - Date.now() }
  app = await startApp({ clock, env: { OPERATOR_KEY: operatorKey } })
  store = await app.makeProject()
  send = graphqlOf(app, store)
  await send('mutation { deploy(input: {}) { id } }')
})
afterAll(() => app.stop())

const asOperator = (query: string, variables = {}) => sendGraphql(app.url, operatorKey, query, { variables })
let made = 0
const fresh = () => `shop-${++made}`

describe('null inputs', () => {
  test('createPet and placeOrder treat null as a missing input', async () => {
    const pet = await send(
      'mutation { createPet(input: { name: "Luna", categoryId: 1, status: null }, idempotencyKey: null) { id status } }',
    )
    const { id } = pet.data.createPet
    const order = await send(`mutation {
      placeOrder(input: { petId: "${id}", reference: null, note: null }, idempotencyKey: null) { reference note }
    }`)

    expect(pet.data.createPet.status).toBeNull()
    expect(order.data).toEqual({ placeOrder: { reference: null, note: null } })
  })

  test('issueApiKey, deploy and addDomain treat null as a missing input', async () => {
    const key = await send(`mutation {
      issueApiKey(input: { projectId: null, name: "x", scopes: [pets_read], expiresAt: null }) { apiKey { expiresAt } }
    }`)
    const deployed = await send(`mutation {
      deploy(input: { projectId: null, title: null, description: null, domains: null }, dryRun: null) {
        id configuration { title description domains { primary redirects { from } } }
      }
    }`)
    const bare = await send(
      'mutation { deploy(input: { domains: { primary: null, redirects: null } }) { state } }',
    )
    const added = await send(`mutation {
      addDomain(input: { projectId: null, name: "www.null.test", withPartner: null }) { domain { name } partner { name } }
    }`)

    expect(key.data).toEqual({ issueApiKey: { apiKey: { expiresAt: null } } })
    expect(deployed.data.deploy).toEqual({
      id: expect.stringMatching(/^deploy_\d+$/),
      configuration: { title: null, description: null, domains: { primary: null, redirects: [] } },
    })
    expect(bare.data).toEqual({ deploy: { state: 'succeeded' } })
    expect(added.data).toEqual({ addDomain: { domain: { name: 'www.null.test' }, partner: null } })
  })

  test('createProject and setPlan treat null as a missing input', async () => {
    const slug = fresh()

    const created = await asOperator(
      `mutation { createProject(input: { slug: "${slug}", name: null, limits: null }) { project { name plan { name } } } }`,
    )
    const set = await asOperator(
      `mutation { setPlan(project: "${slug}", plan: pro, limits: null) { plan { name } } }`,
    )

    expect(created.data).toEqual({ createProject: { project: { name: slug, plan: { name: 'free' } } } })
    expect(set.data).toEqual({ setPlan: { plan: { name: 'pro' } } })
  })

  test('updatePet removes a null status, and leaves a field unchanged whose value is null', async () => {
    const { id } = (
      await send('mutation { createPet(input: { name: "Rex", categoryId: 1, status: sold }) { id } }')
    ).data.createPet
    const change = (input: string) =>
      send(`mutation { updatePet(petId: "${id}", input: { ${input} }, ifMatch: null) { name status } }`)

    expect((await change('name: "Rexi"')).data.updatePet).toEqual({ name: 'Rexi', status: 'sold' })
    expect((await change('status: null')).data.updatePet).toEqual({ name: 'Rexi', status: null })
    const sold = { name: 'Rexi', status: 'sold' }
    expect((await change('name: null, categoryId: null, status: sold')).data.updatePet).toEqual(sold)
    for (const input of ['name: null', 'categoryId: null', 'name: null, categoryId: null', ''])
      expect((await change(input)).errors).toMatchObject([
        { extensions: { code: 'invalid_input', details: [{ field: 'input' }] } },
      ])
  })

  test('petsUpdate removes a null status, and leaves a field unchanged whose value is null', async () => {
    const { id } = (
      await send('mutation { createPet(input: { name: "Rex", categoryId: 1, status: sold }) { id } }')
    ).data.createPet
    const change = (fields: string) =>
      send(`mutation { petsUpdate(input: { ids: ["${id}"], change: { ${fields} } }) { updated } }`)

    expect((await change('name: null, categoryId: null, status: null')).data.petsUpdate).toEqual({
      updated: 1,
    })
    expect((await change('name: null')).errors).toMatchObject([
      { extensions: { code: 'invalid_input', details: [{ field: 'input.change' }] } },
    ])
    expect((await send(`{ getPet(petId: "${id}") { name categoryId status } }`)).data).toEqual({
      getPet: { name: 'Rex', categoryId: '1', status: null },
    })
  })

  test.each([
    ['', 86_400],
    ['overlapSeconds: null', 86_400],
    ['overlapSeconds: 60', 60],
    ['overlapSeconds: 0', 0],
  ])('a rotation with (%s) keeps the old key valid for %i seconds', async (given, seconds) => {
    const { keyId } = await store.issueKey()
    const issuedAt = { createdAt: new Date(now - 86_400_000) }
    await app.tools.db.apiKey.update({ where: { id: keyId }, data: issuedAt })

    const rotated = await send(
      `mutation { rotateApiKey(id: "key_${keyId}", ${given}) { apiKey { id createdAt expiresAt } } }`,
    )
    const old = await send(
      `{ node(id: "key_${keyId}") { ... on ApiKey { expiresAt successorId rotatedAt } } }`,
    )

    const { id, createdAt, expiresAt } = rotated.data.rotateApiKey.apiKey
    expect(expiresAt).toBeNull()
    expect(createdAt).toBe(new Date(now).toISOString())
    expect(old.data.node).toEqual({
      expiresAt: new Date(now + seconds * 1000).toISOString(),
      ...{ successorId: id, rotatedAt: createdAt },
    })
  })

  test('the status of a redirect is 301 by default', async () => {
    const own = await app.makeProject()
    const ask = graphqlOf(app, own)
    const deploy = (status: string) =>
      ask(`mutation { deploy(input: { domains: { redirects: [{ from: "a.red.test", to: "www.red.test", ${status} }] } }) {
        state configuration { domains { redirects { from to status } } }
      } }`)
    await ask('mutation { deploy(input: {}) { id } }')
    for (const name of ['a.red.test', 'www.red.test'])
      await ask(`mutation { addDomain(input: { name: "${name}" }) { domain { id } } }`)

    for (const [given, status] of [
      ['', 301],
      ['status: 307', 307],
    ] as const) {
      const { configuration } = (await deploy(given)).data.deploy
      expect(configuration.domains.redirects).toEqual([{ from: 'a.red.test', to: 'www.red.test', status }])
    }
  })
})

test('usage covers thirty days and twenty keys by default', async () => {
  const own = await app.makeProject()
  const keys = [own]
  for (let n = 0; n < 20; n++) keys.push(await own.issueKey())
  await Promise.all(keys.map(key => key.get('/v1/pets')))
  await app.tools.usageCounter.flush()
  const fields = '{ days { date } keys { requests } }'
  const spans = ['', '(days: null)', '(hours: null)', '(days: null, hours: null)']
  const query = spans.map((span, n) => `u${n}: usage${span} ${fields}`).join(' ')

  const { data } = await graphqlOf(
    app,
    own,
  )(`{ ${query} keys: apiKeys(first: 1) { nodes {
    a: usage { days { date } } b: usage(days: null) { days { date } } c: usage(days: 3, hours: null) { days { date } }
  } } }`)

  for (const n of spans.keys()) {
    expect(data[`u${n}`].days).toHaveLength(30)
    expect(data[`u${n}`].keys).toHaveLength(20)
  }
  const [key] = data.keys.nodes
  expect([key.a, key.b, key.c].map(({ days }) => days.length)).toEqual([30, 30, 3])
})

test('an operator creates a project with the given name, plan and limits', async () => {
  const slug = fresh()
  const { data } = await asOperator(
    `mutation($input: NewProject!) { createProject(input: $input) {
      project { id slug name plan { name } limits { requestsPerMinute requestsPerDay managementPerMinute domains } }
      owner { apiKey { scopes } }
    } }`,
    {
      input: {
        slug,
        name: 'A shop',
        plan: 'enterprise',
        limits: { requestsPerMinute: 7, requestsPerDay: 70 },
      },
    },
  )

  expect(data.createProject).toEqual({
    project: {
      ...{ id: `project_${slug}`, slug, name: 'A shop', plan: { name: 'enterprise' } },
      limits: { requestsPerMinute: 7, requestsPerDay: 70, managementPerMinute: 300, domains: 50 },
    },
    owner: {
      apiKey: {
        scopes: [
          'pets_read',
          'pets_write',
          'orders_read',
          'orders_write',
          'events_read',
          'webhooks_write',
          'project_read',
          'project_write',
        ],
      },
    },
  })
})

test.each([
  'pets_read',
  'pets_write',
  'orders_read',
  'orders_write',
  'events_read',
  'webhooks_write',
  'project_read',
  'project_write',
])('a key that is issued with %s has exactly that scope', async scope => {
  const { data } = await send(`mutation {
      issueApiKey(input: { name: "one", scopes: [${scope}] }) { secret apiKey { id scopes } }
    }`)
  const { secret, apiKey } = data.issueApiKey
  const row = await app.tools.db.apiKey.findUniqueOrThrow({ where: { id: apiKey.id.slice('key_'.length) } })

  expect(apiKey.scopes).toEqual([scope])
  expect(row.scopes).toEqual([scope.replace('_', ':')])
  expect((await sendGraphql(app.url, secret, '{ caller { operator scopes projectSlug } }')).data).toEqual({
    caller: { operator: false, scopes: [scope], projectSlug: store.project.slug },
  })
})

test('only the key that sends a query is shown as current, and an operator sees no current key', async () => {
  const asking = await store.issueKey()
  const query = '{ project(slug: "SLUG") { apiKeys { nodes { id current } } } }'.replace(
    'SLUG',
    store.project.slug,
  )
  const current = async (secret: string) =>
    (await sendGraphql(app.url, secret, query)).data.project.apiKeys.nodes
      .filter((key: { current: boolean }) => key.current)
      .map(({ id }: { id: string }) => id)

  expect(await current(asking.secret)).toEqual([`key_${asking.keyId}`])
  expect(await current(store.secret)).toEqual([`key_${store.keyId}`])
  expect(await current(operatorKey)).toEqual([])
})

test('for the key of an operator, caller shows an operator without a project and without scopes', async () => {
  const { data } = await asOperator('{ caller { operator scopes keyPrefix projectSlug } }')

  expect(data.caller).toEqual({ operator: true, scopes: [], keyPrefix: null, projectSlug: null })
})

test.each([
  ['mutation { issueApiKey(input: { name: "x", scopes: [pets_read] }) { secret } }', 'input.projectId'],
  ['mutation { deploy(input: {}) { id } }', 'input.projectId'],
  ['mutation { addDomain(input: { name: "www.op.test" }) { domain { id } } }', 'input.projectId'],
  ['{ project { slug } }', 'slug'],
])(
  'if an operator names no project, an operation that needs one gets an error for the missing argument: %s',
  async (query, field) => {
    expect((await asOperator(query)).errors).toMatchObject([
      { extensions: { code: 'invalid_input', details: [{ field }] } },
    ])
  },
)

describe('an invalid value', () => {
  const create = 'mutation($input: NewPet!) { createPet(input: $input) { id } }'

  test.each([
    ['{ pets(first: "x") { nodes { id } } }', {}, 'first'],
    ['{ pets(name: 5) { nodes { id } } }', {}, 'name'],
    ['{ pets(status: lost) { nodes { id } } }', {}, 'status'],
    ['{ category(categoryId: null) { name } }', {}, 'categoryId'],
    ['mutation { createPet(input: 5) { id } }', {}, 'input'],
    ['mutation { createPet(input: { name: "x" }) { id } }', {}, 'input'],
    ['mutation { createPet(input: { name: true, categoryId: 1 }) { id } }', {}, 'input.name'],
    [
      'mutation { deploy(input: { domains: { redirects: [{ from: 5, to: "b" }] } }) { id } }',
      {},
      'input.domains.redirects.from',
    ],
    ['query($first: Int) { pets(first: $first) { nodes { id } } }', { first: 'x' }, 'first'],
    ['query($id: ID!) { category(categoryId: $id) { name } }', {}, 'id'],
    [create, {}, 'input'],
    [create, { input: { name: 'x' } }, 'input'],
    [create, { input: { name: 5, categoryId: 1 } }, 'input.name'],
    [create, { input: { name: 'x', categoryId: 1, status: 'lost' } }, 'input.status'],
    [create, { input: { name: 'x', categoryId: [1] } }, 'input.categoryId'],
  ])('an invalid value is reported with its path: %s %j', async (query, variables, field) => {
    const { status, data, errors } = await send(query, { variables })

    expect([status, data]).toEqual([400, null])
    expect(errors).toMatchObject([
      {
        extensions: {
          code: 'invalid_input',
          status: 400,
          details: [{ field, message: expect.stringMatching(/./) }],
        },
      },
    ])
  })

  test.each([
    ['{ domain(name: "not a name") { name } }', 'name'],
    ['{ project { domain(name: "*.shop.test") { name } } }', 'name'],
    ['mutation { addDomain(input: { name: "not a name" }) { domain { name } } }', 'input.name'],
    ['mutation { createPet(input: { name: "", categoryId: 1 }) { id } }', 'input.name'],
    ['mutation { updatePet(petId: "1", input: { categoryId: "x" }) { id } }', 'input.categoryId'],
    ['mutation { updatePet(petId: "1", input: { name: "x" }, ifMatch: "a b") { id } }', 'ifMatch'],
    ['mutation { placeOrder(input: { petId: "1", note: "" }) { id } }', 'input.note'],
    [
      'mutation { createPet(input: { name: "x", categoryId: 1 }, idempotencyKey: "") { id } }',
      'idempotencyKey',
    ],
    ['mutation { setCategory(categoryId: 1, name: "") { id } }', 'name'],
    ['mutation { issueApiKey(input: { name: "", scopes: [pets_read] }) { secret } }', 'input.name'],
    ['{ pets(categoryId: "x") { nodes { id } } }', 'categoryId'],
    ['{ orders(petId: "x") { nodes { id } } }', 'petId'],
    ['{ usage(days: 0) { requests } }', 'days'],
    ['{ deploys(first: 0) { nodes { id } } }', 'first'],
  ])('a value that the store rejects is reported with its path: %s', async (query, field) => {
    expect((await send(query)).errors).toMatchObject([
      { extensions: { code: 'invalid_input', status: 400, details: [{ field }] } },
    ])
  })

  test('null for a required argument is rejected as invalid_input, even if validation accepts the query because its variable has a default value', async () => {
    const query = 'query($id: ID = "7") { category(categoryId: $id) { name } }'
    const { errors } = await send(query, { variables: { id: null } })

    expect(errors).toMatchObject([{ path: ['category'], extensions: { code: 'invalid_input', status: 400 } }])
  })

  test.each(['xx', '😀', 'x😀'])('an error message shortens a long value of %s', async start => {
    const long = start.padEnd(20_000, start.slice(-2))
    const answers = [
      await send(create, { variables: { input: { name: 'x', categoryId: 1, [long]: 1 } } }),
      await send(create, { variables: { input: { name: 'x', categoryId: 1, status: long } } }),
      await send(`mutation { createPet(input: { name: "x", categoryId: 1, ${long}: 1 }) { id } }`),
      await send('query($after: String) { pets(after: $after) { nodes { id } } }', {
        variables: { after: long },
      }),
    ]

    for (const { errors, text } of answers) {
      expect(text.length).toBeLessThan(3_000)
      for (const { message, extensions } of errors) {
        const texts = [message, ...(extensions.details ?? []).flatMap(Object.values)] as string[]
        for (const each of texts) expect([each.length <= 503, each.isWellFormed()]).toEqual([true, true])
      }
    }
  })

  test('a key without the required scope gets an error for the scope, and none for faults of the input', async () => {
    const [reader, writer] = [await store.issueKey(['orders:read']), await store.issueKey(['pets:write'])]
    const faulty = { variables: { input: { name: 5 } } }

    const [refused, both] = [
      await graphqlOf(app, reader)(create, faulty),
      await graphqlOf(app, writer)(create, faulty),
    ]

    expect(refused.errors).toMatchObject([
      { message: 'This API key lacks the scope pets:write.', extensions: { code: 'insufficient_scope' } },
    ])
    expect(new Set(codesOf(both))).toEqual(new Set(['invalid_input']))
  })
})

describe('a number that JSON cannot carry exactly', () => {
  const query = 'query($id: ID!) { category(categoryId: $id) { name } }'
  /**
   * Takes the variables as JSON text, so that a test can send numbers with more digits than a JavaScript number keeps.
   */
  const ask = (variables: string, text = query) =>
    store.post('/graphql', `{"query":${JSON.stringify(text)},"variables":${variables}}`, {
      accept: 'application/graphql-response+json',
    })

  test.each([
    ['9007199254740991', 'category_not_found'],
    ['-9007199254740991', 'category_not_found'],
    ['9007199254740992', 'invalid_input'],
    ['9007199254740993', 'invalid_input'],
    ['-9007199254740992', 'invalid_input'],
    ['-9007199254740993', 'invalid_input'],
    ['1e300', 'invalid_input'],
  ])('the JSON number %s gets the code %s', async (id, code) => {
    const { json } = await ask(`{"id":${id}}`)

    expect(json).toMatchObject({ errors: [{ extensions: { code } }] })
  })

  test('an inexact number is reported with its path at any depth, at most ten times', async () => {
    const many = Array.from({ length: 2_000 }, () => '9007199254740993').join(',')

    const [nested, flood] = [
      await ask('{"id":1,"other":{"list":[0,{"deep":9007199254740993}]}}'),
      await ask(`{"id":1,"other":[${many}]}`),
    ]

    expect(nested.json).toMatchObject({
      errors: [{ extensions: { code: 'invalid_input', details: [{ field: 'other.list.1.deep' }] } }],
    })
    const { errors } = flood.json as { errors: { extensions: { details: unknown[] } }[] }
    expect(errors[0]?.extensions.details).toHaveLength(10)
  })
})

test.each([
  'createPet(input: { name: "Luna", categoryId: 1 }, KEY)',
  'placeOrder(input: { petId: PET }, KEY)',
])(
  'a repeated mutation with an idempotencyKey argument sets no Idempotent-Replayed header: %s',
  async mutation => {
    const { id } = (await send('mutation { createPet(input: { name: "Rex", categoryId: 1 }) { id } }')).data
      .createPet
    const key = `idempotencyKey: "again-${id}"`
    const query = `mutation { ${mutation.replace('PET', id).replace('KEY', key)} { id } }`

    const answers = [await send(query), await send(query)]

    expect(answers[0]?.errors).toEqual([])
    expect(answers[1]?.data).toEqual(answers[0]?.data)
    for (const { headers } of answers) expect(headers['idempotent-replayed']).toBeUndefined()
  },
)
