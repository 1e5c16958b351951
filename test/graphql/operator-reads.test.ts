import { afterAll, beforeAll, beforeEach, expect, type MockInstance, test, vi } from 'vitest'
import { codesOf, graphqlOf, sendGraphql } from '../support/graphql.ts'
import { place } from '../support/orders.ts'
import { type App, startApp } from '../support/start-app.ts'

const operatorKey = 'operator-of-the-tests-0123456789abcdef'
let app: App
let info: MockInstance
beforeAll(async () => {
  app = await startApp({ env: { OPERATOR_KEY: `mara:${operatorKey}` } })
})
afterAll(() => app.stop())
beforeEach(() => {
  info = vi.spyOn(app.tools.log, 'info')
  return () => info.mockRestore()
})
const asOperator = (query: string, variables?: object) =>
  sendGraphql(app.url, operatorKey, query, variables && { variables })
const looks = () => info.mock.calls.filter(([, text]) => text === 'operator: store read')

async function makeStore(name: string) {
  const store = await app.makeProject()
  await graphqlOf(
    app,
    store,
  )(`mutation { categorySet(input: { id: "category_7", name: "${name} category" }) { category { id } } }`)
  const { json } = await store.post('/v1/pets', { name, categoryId: 7 })
  const petId = (json as { id: number }).id
  const order = await place(store, petId, { reference: `of ${name}` })
  return { store, slug: store.project.slug, petId, orderId: order.id, name }
}

const whole = `pets(first: 5) { totalCount nodes { id name category { name petCount } orders(first: 2) { nodes { reference pet { name } } } } }
  categories(first: 5) { nodes { name petCount } }
  orders(first: 5, search: "of ") { nodes { id reference pet { name orders(first: 2) { nodes { reference } } } } }`

const shownOf = ({ petId, orderId, name }: Awaited<ReturnType<typeof makeStore>>) => {
  const category = { name: `${name} category`, petCount: 1 }
  const reference = `of ${name}`
  return {
    pets: {
      totalCount: 1,
      nodes: [{ id: String(petId), name, category, orders: { nodes: [{ reference, pet: { name } }] } }],
    },
    categories: { nodes: [category] },
    orders: {
      nodes: [{ id: `order_${orderId}`, reference, pet: { name, orders: { nodes: [{ reference }] } } }],
    },
  }
}

test('an operator reads the pets, categories and orders of each project that it names, and each read is logged', async () => {
  const [one, other] = [await makeStore('Rex'), await makeStore('Luna')]

  const { data, errors } = await asOperator(
    `query($one: String, $other: String) {
    one: project(slug: $one) { ${whole} } other: project(slug: $other) { ${whole} } }`,
    {
      one: one.slug,
      other: other.slug,
    },
  )

  expect(errors).toEqual([])
  expect(data).toEqual({ one: shownOf(one), other: shownOf(other) })
  const who = { operator: 'mara', requestId: expect.any(String) }
  expect(looks().map(([details]) => details)).toEqual(
    expect.arrayContaining(
      [one, other].flatMap(({ slug }) =>
        ['pets', 'categories', 'orders'].map(what => ({ ...who, project: slug, what })),
      ),
    ),
  )
  expect(looks()).toHaveLength(6)
})

test('an operator reads a pet, a category and an order by id and filters lists, at no cost to the project', async () => {
  const { store, slug, petId, orderId } = await makeStore('Max')
  const remaining = async () => (await store.get('/v1/rate-limit')).headers['x-ratelimit-remaining']
  const before = await remaining()

  const { data } = await asOperator(
    `query($slug: String, $pet: ID!, $order: ID!) { project(slug: $slug) {
      pet(id: $pet) { name } category(categoryId: 7) { name } order(id: $order) { reference }
      none: pets(status: sold) { nodes { id } } found: pets(name: "ma") { nodes { name } }
      approved: orders(status: approved) { nodes { id } }
      recent: orders(placedFrom: "2020-01-01T00:00:00Z") { nodes { reference } } } }`,
    { slug, pet: petId, order: `order_${orderId}` },
  )

  expect(data.project).toEqual({
    pet: { name: 'Max' },
    category: { name: 'Max category' },
    order: { reference: 'of Max' },
    none: { nodes: [] },
    found: { nodes: [{ name: 'Max' }] },
    approved: { nodes: [] },
    recent: { nodes: [{ reference: 'of Max' }] },
  })
  expect(await remaining()).toBe(before)
})

test('an operator cannot read a pet or an order of one project through another project, and cannot read pets without naming a project', async () => {
  const [one, other] = [await makeStore('Rex'), await makeStore('Luna')]

  const { data, errors } = await asOperator(
    `query($slug: String, $pet: ID!, $order: ID!) {
      project(slug: $slug) { pet(id: $pet) { name } order(id: $order) { reference } } }`,
    { slug: one.slug, pet: other.petId, order: `order_${other.orderId}` },
  )
  const own = await asOperator('{ pets { nodes { id } } }')
  const page = await asOperator(
    `query($slug: String) { project(slug: $slug) { pets(first: 101) { nodes { id } } } }`,
    {
      slug: one.slug,
    },
  )

  expect(data.project).toEqual({ pet: null, order: null })
  expect(codesOf({ errors }).sort()).toEqual(['order_not_found', 'pet_not_found'])
  expect(codesOf(own)).toEqual(['insufficient_scope'])
  expect(codesOf(page)).toEqual(['invalid_input'])
})

test.each([
  ['pet', 'pets:read', (made: Made) => `pet(id: "${made.petId}") { id }`],
  ['category', 'pets:read', () => 'category(categoryId: 7) { id }'],
  ['order', 'orders:read', (made: Made) => `order(id: "order_${made.orderId}") { id }`],
] as const)("a project's key reads Project.%s with the scope %s alone", async (field, scope, select) => {
  const made = await makeStore('Rex')
  const query = `{ project { ${select(made)} } }`
  const reader = await made.store.issueKey(['project:read', scope])
  const all = await sendGraphql(app.url, reader.secret, query)
  const lacking = await sendGraphql(app.url, (await made.store.issueKey(['project:read'])).secret, query)

  expect(all.data.project[field]).not.toBeNull()
  expect(codesOf(lacking)).toEqual(['insufficient_scope'])
  expect(looks()).toEqual([])
})

type Made = Awaited<ReturnType<typeof makeStore>>
