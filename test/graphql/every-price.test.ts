import { readFileSync } from 'node:fs'
import { buildSchema, type GraphQLObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composeField } from '../support/compose-field.ts'
import { graphqlOf } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
beforeAll(async () => {
  app = await startApp()
  store = await app.makeProject()
})
afterAll(() => app.stop())

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))
const typed = (name: string) => schema.getType(name) as GraphQLObjectType
const fieldsOf = (name: string) => Object.values(typed(name).getFields())

async function priceOf(query: string, variables = {}) {
  const { extensions } = await graphqlOf(app, store)(query, {
    variables,
    headers: { 'x-explain-cost': 'only' },
  })
  const { storeRequests, managementRequests } = extensions.cost as Record<string, number>
  return { store: storeRequests, management: managementRequests }
}

/**
 * For a deprecated mutation, returns the name of the mutation that replaces the deprecated mutation. For any other
 * mutation, returns `name` unchanged.
 */
const latest = (name: string) =>
  /Use `(\w+)`/.exec(typed('Mutation').getFields()[name]?.deprecationReason ?? '')?.[1] ?? name

/** Returns the price of a root field as the schema's description states it. */
function saidOf(kind: string, name: string) {
  if (name === 'rateLimit') return { store: 0, management: 0 }
  const [, goods = ''] = /REST shares:(.*?)\./s.exec(typed('Query').description ?? '') ?? []
  const isOfStore =
    kind === 'query'
      ? goods.includes(`\`${name}\``)
      : /(Pets?|Category|Order)$|^(pets?|category|order)[A-Z]/.test(name)
  if (isOfStore) return { store: 1, management: 0 }
  if (kind === 'query') return { store: 0, management: 1 }
  const [, three = '', two = ''] =
    /more statements:(.*?)three;(.*?)two\./s.exec(typed('Mutation').description ?? '') ?? []
  const called = (names: string) => names.includes(`\`${latest(name)}\``)
  return { store: 0, management: called(three) ? 3 : called(two) ? 2 : 1 }
}

describe('the prices in schema.graphql', () => {
  test.each([
    ...fieldsOf('Query').map(field => ['query', field.name, field] as const),
    ...fieldsOf('Mutation').map(field => ['mutation', field.name, field] as const),
  ])(
    'the price in schema.graphql of a %s for %s is the price that the service reports',
    async (kind, name, field) => {
      expect(await priceOf(composeField(kind, field, 'pets:read'))).toEqual(saidOf(kind, name))
    },
  )

  const ofStore = ['pets', 'pet', 'categories', 'category', 'orders', 'order']
  const lists = ['apiKeys', 'domains', 'domain', 'domainPreconditions', 'deploys', 'usage']

  test.each(fieldsOf('Project').map(field => [field.name, field] as const))(
    'a field of a project costs its own price in addition to the price of the project: %s',
    async (name, field) => {
      const selection = composeField('', field, 'pets:read').replace(/^ \{|\}$/g, '')
      const price = {
        store: ofStore.includes(name) ? 1 : 0,
        management: lists.includes(name) ? 2 : 1,
      }

      expect(await priceOf(`{ project { ${selection} } }`)).toEqual(price)
      expect(await priceOf(`{ node(id: "project_x") { ... on Project { ${selection} } } }`)).toEqual(price)
      expect(await priceOf(`{ project { slug } ... { project { ${selection} } } }`)).toEqual(price)
      const asNode = `... on Node { id ... on Project { ${selection} } }`
      expect(await priceOf(`{ project { ${asNode} } }`)).toEqual(price)
      expect(await priceOf(`{ node(id: "project_x") { ${asNode} } }`)).toEqual(price)
    },
  )

  test.each(ofStore)(
    'if a mutation returns a project, the field %s of the project costs one store request',
    async name => {
      const field = fieldsOf('Project').find(each => each.name === name) as ReturnType<
        typeof fieldsOf
      >[number]
      const selection = composeField('', field, 'pets:read').replace(/^ \{|\}$/g, '')
      const mutate = (selected: string) =>
        `mutation { projectSetLeakedKeys(input: { leakedKeys: tell }) { project { ${selected} } } }`

      const { management } = await priceOf(mutate('slug'))

      expect(await priceOf(mutate(selection))).toEqual({ store: 1, management })
    },
  )

  test.each([
    ['"7"', 1],
    ['"-7"', 1],
    ['7', 1],
    ['"category_7"', 1],
    ['"order_7"', 1],
    ['"pets"', 0],
    ['"plan_7"', 0],
    ['"order7"', 0],
    ['"7x"', 0],
  ])(
    'node costs a store request for an id in the form of a pet, category or order, otherwise a management request: %s',
    async (id, ofStore) => {
      const price = { store: ofStore, management: 1 - ofStore }

      expect(await priceOf(`{ node(id: ${id}) { id } }`)).toEqual(price)
      expect(await priceOf('query($id: ID!) { node(id: $id) { id } }', { id: JSON.parse(id) })).toEqual(price)
    },
  )

  test('a field is charged once for each response key', async () => {
    const pets = 'pets { nodes { id } }'

    expect(await priceOf(`{ ${pets} ${pets} a: ${pets} b: ${pets} }`)).toEqual({ store: 3, management: 0 })
    expect(await priceOf(`{ project { ${pets} ${pets} a: ${pets} } b: project { ${pets} } }`)).toEqual({
      ...{ store: 3, management: 2 },
    })
  })
})
