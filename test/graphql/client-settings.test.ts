import { readFileSync } from 'node:fs'
import { InMemoryCache } from '@apollo/client'
import { codegen } from '@graphql-codegen/core'
import * as types from '@graphql-codegen/typescript'
import { Client, fetchExchange, gql } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { buildSchema, isNonNullType, isObjectType, parse } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  customScalarTypes,
  keys,
  possibleTypes,
  scalars,
  typePolicies,
} from '../../clients/typescript/src/graphql.ts'
import { makeFiveOfEach } from '../support/five-of-each.ts'
import { everything } from '../support/graphql-shapes.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const text = readFileSync('schema.graphql', 'utf8')
const schema = buildSchema(text, { assumeValid: true })
let app: App
let store: TestProject
beforeAll(async () => {
  app = await startApp()
  store = await app.makeProject({ plan: 'enterprise', perMinute: 1000, perDay: 10_000 })
  await makeFiveOfEach(app, store)
})
afterAll(() => app.stop())

const objects = Object.values(schema.getTypeMap()).filter(
  type =>
    isObjectType(type) &&
    !type.name.startsWith('__') &&
    !['Query', 'Mutation', 'Subscription'].includes(type.name),
)
/** Types without an id, or with an id that may be null. */
const withoutId = objects
  .filter(type => isObjectType(type) && !isNonNullType(type.getFields().id?.type))
  .map(({ name }) => name)

test('the settings for clients name every object without an id, every kind of node and every scalar', () => {
  expect(Object.keys(keys).sort()).toEqual(withoutId.sort())
  expect(Object.keys(typePolicies).sort()).toEqual(
    withoutId.filter(name => !/(Connection|Edge)$/.test(name)).sort(),
  )
  const nodes = objects.filter(type => isObjectType(type) && type.getInterfaces().length > 0)
  expect(possibleTypes.Node.toSorted()).toEqual(nodes.map(({ name }) => name).sort())
  const own = [...text.matchAll(/^scalar (\w+)/gm)].map(([, name]) => name)
  expect(Object.keys(customScalarTypes).sort()).toEqual(own.sort())
})

test('the code generator accepts the schema with strictScalars, and rejects it without our scalars', async () => {
  const generate = (config: object) =>
    codegen({
      filename: 'types.ts',
      schema: parse(text),
      documents: [],
      plugins: [{ types: {} }],
      pluginMap: { types },
      config: { strictScalars: true, ...config },
    })

  expect(await generate({ scalars })).toContain('DateTime: { input: string; output: string; }')
  await expect(generate({})).rejects.toThrow('Unknown scalar type')
})

const wide = () => [
  everything('pets', 2, 2),
  everything('orders', 2, 2),
  everything('domains', 2, 1),
  everything('apiKeys', 2, 1),
  everything('deploys', 2, 1),
  '{ project { id slug limits { domains } rateLimit { id minute { remaining } ban { endsAt } } } inventory { total } caller { operator } }',
  '{ node(id: "plan_pro") { id ... on Node { ... on Plan { name } } } usage(days: 2) { days { date requests } doors { door } } }',
]

/** Returns the warnings and errors of graphcache while it reads and writes the answers. */
async function warningsOf(settings: Parameters<typeof cacheExchange>[0]): Promise<string[]> {
  const warnings: string[] = []
  const logger = (severity: string, message: string) => {
    if (severity !== 'debug') warnings.push(message)
  }
  const client = new Client({
    url: `${app.url}/graphql`,
    exchanges: [cacheExchange({ ...settings, logger }), fetchExchange],
    fetchOptions: { headers: { authorization: `Bearer ${store.secret}` } },
  })
  for (const query of wide()) {
    const { error, data } = await client.query(gql(query), {}).toPromise()
    expect([query, error?.message]).toEqual([query, undefined])
    expect(data).toBeDefined()
  }
  return warnings
}

test('graphcache logs no warnings with our settings, and many without them', async () => {
  expect(await warningsOf({ keys, possibleTypes })).toEqual([])
  expect((await warningsOf({})).length).toBeGreaterThan(5)
})

test("Apollo's cache merges parts of an object without an id that several queries have read", () => {
  const cache = new InMemoryCache({ possibleTypes, typePolicies })
  const write = (query: string, inventory: object) =>
    cache.writeQuery({ query: gql(query), data: { inventory: { __typename: 'Inventory', ...inventory } } })

  write('{ inventory { total } }', { total: 7 })
  write('{ inventory { sold } }', { sold: 3 })

  expect(cache.readQuery({ query: gql('{ inventory { total sold } }') })).toMatchObject({
    inventory: { total: 7, sold: 3 },
  })
})
