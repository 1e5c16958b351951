import { afterAll, beforeAll, expect, test } from 'vitest'
import { codesOf, graphqlOf } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
beforeAll(async () => {
  app = await startApp()
  store = await app.makeProject()
})
afterAll(() => app.stop())

/** Returns the units in the answer's `extensions`. */
async function costOf(query: string, variables = {}): Promise<number> {
  const { extensions } = await graphqlOf(app, store)(query, { variables, extensions: { cost: true } })
  return (extensions.cost as { units: number }).units
}

test.each([
  ['side by side', '{ pets(first: 9) { nodes { id } nodes { name status } } }'],
  ['at two levels', '{ pets(first: 9) { nodes { id } } pets(first: 9) { nodes { name } nodes { status } } }'],
  [
    'in a fragment',
    '{ pets(first: 9) { nodes { id } ...More } } fragment More on PetConnection { nodes { name status } }',
  ],
  ['in an inline fragment', '{ pets(first: 9) { nodes { id ... on Pet { name status } } } }'],
])(
  'a field that a query selects several times %s costs the same as if the selections were merged into one',
  async (_, query) => {
    expect(await costOf(query)).toBe(await costOf('{ pets(first: 9) { nodes { id name status } } }'))
  },
)

test('the cost of a repeated operation is computed from its variables each time', async () => {
  const query = 'query($first: Int) { pets(first: $first) { nodes { id name } } }'
  const plain = (first: number) => costOf(`{ pets(first: ${first}) { nodes { id name } } }`)

  for (const first of [1, 100, 7]) expect(await costOf(query, { first })).toBe(await plain(first))
})

test('the cost of a repeated operation is computed from its @include each time', async () => {
  const query = 'query($all: Boolean!) { pets(first: 9) { nodes { id name @include(if: $all) } } }'
  const whole = await costOf('{ pets(first: 9) { nodes { id name } } }')
  const part = await costOf('{ pets(first: 9) { nodes { id } } }')

  for (const all of [false, true, false]) expect(await costOf(query, { all })).toBe(all ? whole : part)
})

test.each([
  ['{ pets { nodes { id } } }', 1, 0],
  ['{ a: pets { nodes { id } } b: pets { nodes { id } } __typename }', 2, 0],
  ['{ pets { nodes { id } } rateLimit { plan } }', 1, 0],
  ['{ pets { nodes { id orders(first: 5) { nodes { id } } } } }', 1, 0],
  ['{ project { id } }', 0, 1],
  ['{ project { id pets { nodes { id } } } }', 1, 1],
  ['{ project { apiKeys { nodes { id } } domains { nodes { id } } usage { requests } } }', 0, 4],
  [
    '{ project { ...Lists } } fragment Lists on Project { deploys { nodes { id } } domainPreconditions { met } }',
    0,
    3,
  ],
  ['{ node(id: "7") { id } }', 1, 0],
  ['{ node(id: 7) { id } }', 1, 0],
  ['{ node(id: "order_7") { id } }', 1, 0],
  ['{ node(id: "category_7") { id } }', 1, 0],
  ['{ node(id: "plan_pro") { id } }', 0, 1],
  ['mutation { setCategory(categoryId: 1, name: "Dogs") { id } }', 1, 0],
])(
  '%s costs %i store requests and %i management requests',
  async (query, storeRequests, managementRequests) => {
    const { extensions } = await graphqlOf(app, store)(query, { extensions: { cost: true } })

    expect(extensions.cost).toMatchObject({ storeRequests, managementRequests })
  },
)

const round = 'orders(first: 1) { nodes { pet { '

test.each([
  ['alone', (deep: string) => `{ pets(first: 1) { nodes { ${deep} } } }`],
  ['after a shallow field', (deep: string) => `{ pets(first: 1) { nodes { id ${deep} } } }`],
  ['before a shallow field', (deep: string) => `{ pets(first: 1) { nodes { ${deep} id } } }`],
  [
    'in a fragment',
    (deep: string) => `{ pets(first: 1) { nodes { ...Deep id } } } fragment Deep on Pet { ${deep} name }`,
  ],
  ['beside another field', (deep: string) => `{ pets(first: 1) { nodes { ${deep} } } __typename }`],
])('an operation may have ten levels and no more: %s', async (_, query) => {
  const ask = async (deep: string) => codesOf(await graphqlOf(app, store)(query(deep)))
  // The query has two levels above `deep`, and each `round` adds three levels.
  const under = (last: string) => `${round.repeat(2)}${last}${' } } }'.repeat(2)}`

  expect(await ask(under('category { id }'))).toEqual([])
  expect(await ask(under('orders(first: 1) { nodes { id } }'))).toEqual(['operation_too_complex'])
})
