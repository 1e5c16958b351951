import { readFileSync } from 'node:fs'
import {
  buildSchema,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectFields, storeFields } from '../../src/graphql/budgets.ts'
import { codesOf, graphqlOf, sendGraphql } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
beforeAll(async () => {
  app = await startApp()
  store = await app.makeProject()
})
afterAll(() => app.stop())

async function costOf(query: string) {
  const headers = { 'x-explain-cost': 'only' }
  const { extensions } = await sendGraphql(app.url, store.secret, query, { headers })
  return extensions.cost as { units: number; storeRequests: number; managementRequests: number }
}
const [leaf, object, connection, load, statement, row, cursor] = [1, 2, 7, 5, 700, 9, 2 + 1]
const rows = (shown: number) => (shown + 1) * row

describe('the units that docs/graphql.md promises for an operation', () => {
  test.each([
    ['{ __typename }', leaf],
    ['{ caller { operator keyPrefix } }', object + 2 * leaf],
    ['{ caller { scopes } }', object + 6 * leaf],
    ['{ order(id: "order_1") { placedAt } }', statement + row + object + 2 * leaf],
    ['{ inventory { total } }', statement + row + object + leaf],
    ['{ plans { name } }', statement + rows(4) + 4 * (object + leaf)],
    ['{ pets(first: 10) { nodes { id } } }', statement + rows(10) + connection + 10 * (object + leaf)],
    ['{ pets { nodes { id } } }', statement + rows(20) + connection + 20 * (object + leaf)],
    ['{ pets(first: 0) { nodes { id } } }', statement + rows(1) + connection + object + leaf],
    ['{ pets(first: 1000) { nodes { id } } }', statement + rows(100) + connection + 100 * (object + leaf)],
    [
      '{ pets(first: 7) { nodes { ... on Node { id } } } }',
      statement + rows(7) + connection + 7 * (object + leaf),
    ],
    ['{ pets(first: 10) { nodes { etag } } }', statement + rows(10) + connection + 10 * (object + 2 + leaf)],
    ['{ pets(first: 9) { pageInfo { endCursor } } }', statement + rows(9) + connection + object + cursor],
    ['{ pets(first: 9) { edges { cursor } } }', statement + rows(9) + connection + 9 * (object + cursor)],
    [
      '{ pets(first: 10) { nodes { category { name } } } }',
      ...[2 * statement + rows(10) + connection + 10 * (object + load + row + object + leaf)],
    ],
    [
      '{ pets(first: 10) { nodes { orders(first: 5) { nodes { id } } } } }',
      ...[
        2 * statement +
          rows(10) +
          connection +
          10 * (object + load + rows(5) + connection + 5 * (object + leaf)),
      ],
    ],
    [
      '{ pets(first: 10) { nodes { a: category { name } b: category { name } } } }',
      ...[2 * statement + rows(10) + connection + 10 * (object + 2 * (load + row + object + leaf))],
    ],
    ['{ node(id: 7) { id } }', statement + row + object + leaf],
    ['{ node(id: "order_7") { id ... on Project { name slug } } }', statement + row + object + leaf],
    ['{ node(id: "nothing") { id } }', statement + row + leaf],
    ['{ usage(days: 7) { days { requests } } }', statement + load + 8 * 4 + object + 7 * (object + leaf)],
    ['{ usage(days: 7) { hours { requests } } }', statement + load + 8 * 4 + object],
    ['{ usage(hours: 7) { hours { requests } } }', statement + load + 8 * 4 + object + 7 * (object + leaf)],
    ...(['days: 1', 'days: 90', 'hours: 48'] as const).map((span): [string, number] => {
      const steps = Number(span.split(' ')[1])
      const latency = statement + load + 4 * 9 + 3000 + steps * 100 + 3 * (object + leaf)
      return [`{ usage(${span}) { latency { p99 } } }`, statement + load + (steps + 1) * 4 + object + latency]
    }),
    [
      '{ apiKeys(first: 3) { nodes { usage(days: 90) { requests } } } }',
      3 * statement + rows(3) + connection + 3 * (object + load + 91 * 4 + object + leaf),
    ],
  ])('the operation %s costs its documented units', async (query, units) => {
    expect((await costOf(query)).units).toBe(units)
  })

  test('fields of a domain that read the same data are charged for one statement only', async () => {
    const domains = (inner: string) => costOf(`{ domains(first: 10) { nodes { ${inner} } } }`)

    const [host, both] = [await domains('host'), await domains('host servedUntil')]

    expect(both.units - host.units).toBe(10 * (load + row + 2 * leaf))
  })

  test('if usage is read by day for the ten most used keys, each further day adds units for each of the ten keys', async () => {
    const of = (days: number) => costOf(`{ usage(days: ${days}) { keys(first: 10) { days { requests } } } }`)

    expect((await of(9)).units - (await of(8)).units).toBeGreaterThanOrEqual(10 * (object + leaf))
  })
})

const guide = readFileSync('docs/graphql.md', 'utf8')

describe('what docs/graphql.md says of the charges', () => {
  const examples = [...guide.matchAll(/^\| `(\{.*\})` \| ([\d,]+) \| (\d+)( of management)? \|$/gm)].map(
    ([, query = '', units = '', requests, management]) => ({
      query,
      units: Number(units.replace(',', '')),
      [management ? 'managementRequests' : 'storeRequests']: Number(requests),
    }),
  )

  test('the guide docs/graphql.md has more than four examples of the cost of a query', () =>
    expect(examples.length).toBeGreaterThan(4))

  test.each(examples)('the example $query costs what the guide says', async ({ query, ...cost }) => {
    expect(await costOf(query)).toMatchObject(cost)
  })

  test('docs/graphql.md names exactly the root fields that cost store requests, apart from deprecated fields that end on 31 December 2027', () => {
    const [row = ''] = /^\| `pets`.*/m.exec(guide) ?? []
    const { Query, Mutation } = buildSchema(readFileSync('schema.graphql', 'utf8')).getTypeMap()
    const current = [Query, Mutation].flatMap(type =>
      isObjectType(type) ? Object.values(type.getFields()) : [],
    )
    const paid = current
      .filter(
        ({ name, deprecationReason }) =>
          storeFields.has(name) && !/31 December 2027/.test(deprecationReason ?? ''),
      )
      .map(({ name }) => name)

    expect(namesIn(row)).toEqual(new Set([...paid, 'node']))
  })

  test('the guide lists exactly the fields of a project that cost as much as the root field of the same name', () => {
    const [, list = ''] = /Fields of a `project` \(([^)]+)\)/.exec(guide) ?? []

    expect(namesIn(list)).toEqual(new Set(projectFields))
  })

  test('the guide says how many statements a mutation makes', () => {
    const schema = readFileSync('schema.graphql', 'utf8')
    const said = [...guide.matchAll(/`(\w+)` makes (\d+)/g)]

    expect(said.length).toBeGreaterThan(1)
    for (const [, name, count] of said)
      expect(schema).toMatch(new RegExp(`^  ${name}\\(.*@work\\(statements: ${count}\\)$`, 'm'))
  })
})

const namesIn = (text: string) => new Set([...text.matchAll(/`(\w+)`/g)].map(([, name]) => name))

describe('the charge for each started 4,000 units', () => {
  const page = (first: number) =>
    `pets(first: ${first}) { nodes { id name categoryId status category { name } orders(first: 5) { nodes { id } } } }`

  test.each([
    [
      'a page of a hundred pets',
      '{ pets(first: 100) { nodes { id name categoryId status etag } pageInfo { endCursor } } }',
      1,
      0,
    ],
    [
      'a page of a hundred orders',
      '{ orders(first: 100) { nodes { id status petName reference note placedAt } } }',
      1,
      0,
    ],
    ['each root field by itself', `{ a: ${page(100)} b: ${page(10)} plans { name } }`, 4 + 1, 1],
    ['a list of a project', `{ project { slug ${page(100)} } }`, 4, 1],
    [
      'five reads of the rate limit, which are free',
      `{ ${Array.from({ length: 5 }, (_, n) => `r${n}: rateLimit { plan }`).join(' ')} }`,
      0,
      0,
    ],
    [
      'twenty reads of the rate limit, which are too many to be free',
      `{ ${Array.from({ length: 20 }, (_, n) => `r${n}: rateLimit { plan }`).join(' ')} }`,
      0,
      3,
    ],
  ])(
    'each started 4,000 units of a field cost one request: %s',
    async (_, query, storeRequests, managementRequests) => {
      expect(await costOf(query)).toMatchObject({ storeRequests, managementRequests })
    },
  )

  test('a query of 100 pets, five orders of each pet, and the pet of each order costs five or six store requests', async () => {
    const own = await app.makeProject()
    const query =
      '{ pets(first: 100) { nodes { id name category { name } orders(first: 5) { nodes { id pet { id } } } } } }'

    const answer = await graphqlOf(app, own)(query, { headers: { 'x-explain-cost': '1' } })

    expect(answer.errors).toEqual([])
    const { storeRequests } = answer.extensions.cost as { storeRequests: number }
    expect([5, 6]).toContain(storeRequests)
    expect(answer.headers).toMatchObject({
      'x-ratelimit-cost': String(storeRequests),
      'x-ratelimit-remaining': String(1000 - storeRequests),
    })
  })

  test('an operation of too many units is rejected before it runs, and costs one request', async () => {
    const own = await app.makeProject()
    const orders = 'orders(first: 100) { nodes { id } }'
    const answer = await graphqlOf(app, own)(`{ pets(first: 100) { nodes { ${orders} } } }`)

    expect(answer.errors).toMatchObject([
      { message: expect.stringMatching(/costs \d+ units of work; 28000 are allowed/) },
    ])
    expect([answer.status, ...codesOf(answer)]).toEqual([400, 'operation_too_complex'])
    expect(answer.headers['x-ratelimit-remaining']).toBe('999')
  })

  test('a field may have five aliases in one place, but not six', async () => {
    const ask = (count: number) =>
      graphqlOf(
        app,
        store,
      )(
        `{ pets { ...A ...B } } fragment A on PetConnection { nodes { a: name } } fragment B on PetConnection { nodes { ${Array.from({ length: count - 1 }, (_, n) => `b${n}: name`).join(' ')} } }`,
      )

    expect(codesOf(await ask(5))).toEqual([])
    expect((await ask(6)).errors).toMatchObject([
      {
        message: 'The operation uses more than 5 aliases for name in one place; 5 are allowed.',
        extensions: { code: 'operation_too_complex', status: 400 },
      },
    ])
  })
})

describe('the cost of introspection', () => {
  const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))
  const types = Object.values(schema.getTypeMap())
  const fields = types.map(type =>
    isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [],
  )
  const lengths: Record<string, number[]> = {
    fields: fields.map(({ length }) => length),
    inputFields: types.map(type => (isInputObjectType(type) ? Object.keys(type.getFields()).length : 0)),
    enumValues: types.map(type => (isEnumType(type) ? type.getValues().length : 0)),
    interfaces: types.map(type => (isObjectType(type) ? type.getInterfaces().length : 0)),
    possibleTypes: types.map(type => (isAbstractType(type) ? schema.getPossibleTypes(type).length : 0)),
  }
  const named = object + leaf
  const sum = (of: number[] = []) => of.reduce((all, length) => all + length, 0)
  const units = async (query: string) => (await costOf(`{ ${query} }`)).units

  test.each(Object.keys(lengths))(
    'introspection of %s with __type is charged for the type with the most, and introspection with __schema for the sum over all types',
    async of => {
      const longest = Math.max(...(lengths[of] ?? []))

      expect(await units(`__type(name: "Pet") { ${of} { name } }`)).toBe(object + longest * named)
      expect(await units(`__schema { types { ${of} { name } } }`)).toBe(
        Math.ceil(object + types.length * object + sum(lengths[of]) * named),
      )
    },
  )

  test('introspection of types, directives, arguments and wrapped types is charged by their number', async () => {
    const args = fields.flat().map(field => field.args.length)
    const most = Math.max(...(lengths.fields ?? []))

    expect(await units('__schema { types { name } }')).toBe(object + types.length * named)
    expect(await units('__schema { directives { name } }')).toBe(
      object + schema.getDirectives().length * named,
    )
    expect(await units('__type(name: "Pet") { fields { args { name } } }')).toBe(
      object + most * (object + Math.max(...args) * named),
    )
    expect(await units('__schema { types { fields { args { name } } } }')).toBe(
      Math.ceil(object + types.length * object + sum(lengths.fields) * object + sum(args) * named),
    )
    expect(await units('__type(name: "Pet") { ofType { name } }')).toBe(Math.ceil(object + 0.67 * named))
  })
})
