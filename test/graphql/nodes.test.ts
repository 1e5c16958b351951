import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scope, scopes } from '../../src/core/keys/scopes.ts'
import { type FiveOfEach, makeFiveOfEach } from '../support/five-of-each.ts'
import { codesOf, graphqlOf, sendGraphql } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-of-the-nodes-0123456789abcdef'
let app: App
let store: TestProject
let made: FiveOfEach
beforeAll(async () => {
  app = await startApp({ env: { OPERATOR_KEY: operatorKey } })
  store = await app.makeProject()
  made = await makeFiveOfEach(app, store)
})
afterAll(() => app.stop())

type Kind = { id: () => string; scope: Scope | null; type: string; selection: string; elsewhere: string }
const listed = (field: string) => (selection: string) =>
  `{ ${field}(first: 50) { nodes { id ${selection} } } }`
/** Every kind of object with an id: the scope to read it, and a list that contains it. */
const kinds: Record<string, Kind> = {
  pet: {
    ...{ id: () => made.pets[2] ?? '', scope: 'pets:read', type: 'Pet' },
    ...{ selection: 'name status categoryId etag', elsewhere: 'pets' },
  },
  category: {
    ...{ id: () => made.categories[2] ?? '', scope: 'pets:read', type: 'Category' },
    ...{ selection: 'name categoryId petCount', elsewhere: 'categories' },
  },
  order: {
    ...{ id: () => made.orders[2] ?? '', scope: 'orders:read', type: 'Order' },
    ...{ selection: 'status petId petName reference placedAt', elsewhere: 'orders' },
  },
  key: {
    ...{ id: () => made.apiKeys[1] ?? '', scope: 'project:read', type: 'ApiKey' },
    ...{ selection: 'name prefix state createdAt', elsewhere: 'apiKeys' },
  },
  domain: {
    ...{ id: () => made.domains[2] ?? '', scope: 'project:read', type: 'Domain' },
    ...{ selection: 'name projectSlug host certificate', elsewhere: 'domains' },
  },
  deploy: {
    ...{ id: () => made.deploys[2] ?? '', scope: 'project:read', type: 'Deploy' },
    ...{ selection: 'state current createdAt', elsewhere: 'deploys' },
  },
  event: {
    ...{ id: () => made.events[2] ?? '', scope: 'events:read', type: 'Event' },
    ...{ selection: 'number type timestamp subject data previous', elsewhere: 'events' },
  },
  webhook: {
    ...{ id: () => made.webhooks[2] ?? '', scope: 'webhooks:write', type: 'Webhook' },
    ...{ selection: 'url types enabled createdAt delivered', elsewhere: 'webhooks' },
  },
  entry: {
    ...{ id: () => made.entries[2] ?? '', scope: 'project:read', type: 'AuditEntry' },
    ...{ selection: 'eventId type at projectSlug actor { type id name } data', elsewhere: 'auditLog' },
  },
  project: {
    ...{ id: () => `project_${store.project.slug}`, scope: 'project:read', type: 'Project' },
    ...{ selection: 'slug name platformHost', elsewhere: '' },
  },
  plan: { id: () => 'plan_pro', scope: null, type: 'Plan', selection: 'name', elsewhere: '' },
  budget: {
    ...{ id: () => `budget_${store.project.slug}`, scope: null, type: 'RateLimit' },
    ...{ selection: 'plan', elsewhere: '' },
  },
}
const query = 'query($id: ID!) { node(id: $id) { id __typename } }'
const find = (who: TestProject, id: string) => graphqlOf(app, who)(query, { variables: { id } })

describe.each(Object.entries(kinds))(
  'the node of a %s',
  (kind, { id, scope, type, selection, elsewhere }) => {
    test('if a node needs a scope, a key with this scope alone can read the node, and a key with all other scopes cannot', async () => {
      const [only, others] = [
        await store.issueKey([scope ?? 'orders:write']),
        await store.issueKey(scopes.filter(each => each !== scope)),
      ]

      const [found, refused] = [await find(only, id()), await find(others, id())]

      expect(found.data).toEqual({ node: { id: id(), __typename: type } })
      if (scope === null) expect(refused.data).toEqual(found.data)
      else
        expect(refused.errors).toMatchObject([
          { message: `This API key lacks the scope ${scope}.`, extensions: { code: 'insufficient_scope' } },
        ])
    })

    test('a node equals the object with the same id in a list', async () => {
      const send = graphqlOf(app, store)
      const fields = `id ${selection}`
      const { data } = await send(`query($id: ID!) { node(id: $id) { ... on ${type} { ${fields} } } }`, {
        variables: { id: id() },
      })

      expect(data.node.id).toBe(id())
      if (!elsewhere) return
      const all = (await send(listed(elsewhere)(selection))).data[elsewhere].nodes
      expect(data.node).toEqual(all.find((node: { id: string }) => node.id === id()))
    })

    test('a node is found neither by another spelling of its id nor with the key of another project', async () => {
      const own = id()
      const numbered = own.replace(/(\d+)$/, '0$1')
      const spellings = [` ${own}`, `${own} `, `${own}\n`, `${own}.0`, `${kind}_${own}`, `x${own}`]
      if (/^(\w+_)?\d+$/.test(own)) spellings.push(numbered, own.replace(/(\d+)$/, '+$1'))
      if (own !== own.toUpperCase()) spellings.push(own.toUpperCase())

      for (const spelling of spellings)
        expect([spelling, (await find(store, spelling)).data]).toEqual([spelling, { node: null }])
      const stranger = await find(await app.makeProject(), own)
      if (kind !== 'plan') expect(stranger).toMatchObject({ data: { node: null }, errors: [] })
    })
  },
)

test('an id with the prefix of another kind finds nothing', async () => {
  const uuid = (made.apiKeys[0] ?? '').slice('key_'.length)
  const number = (made.orders[0] ?? '').slice('order_'.length)
  const misled = [`domain_${uuid}`, `deploy_${number}9`, `plan_${store.project.slug}`, `category_${number}99`]

  for (const id of misled) expect((await find(store, id)).data).toEqual({ node: null })
})

test('a dry run of a deploy returns an id of its own, and neither node nor rollback finds a deploy by this id', async () => {
  const send = graphqlOf(app, store)
  const dry = await send('mutation { deploy(input: { title: "Dry" }, dryRun: true) { id state current } }')
  const { id } = dry.data.deploy

  expect(dry.data.deploy).toMatchObject({ state: 'succeeded', current: false })
  expect(made.deploys).not.toContain(id)
  expect((await find(store, id)).data).toEqual({ node: null })
  expect(codesOf(await send(`mutation { rollback(to: "${id}") { id } }`))).toEqual(['deploy_not_found'])
})

test.each([
  ['verifyDomain', 'domain'],
  ['reverifyDomain', 'domain'],
  ['removeDomain', 'domain'],
  ['revokeApiKey', 'key'],
  ['rotateApiKey', 'key'],
  ['rollback', 'deploy'],
  ['approveOrder', 'order'],
  ['deliverOrder', 'order'],
  ['cancelOrder', 'order'],
])('%s accepts the id of a %s in its exact spelling only', async (mutation, kind) => {
  const own = kinds[kind]?.id() ?? ''
  const argument = mutation === 'rollback' ? 'to' : 'id'
  const code = kind === 'key' ? 'api_key_not_found' : `${kind}_not_found`
  const others = [own.slice(kind.length + 1), own.toUpperCase(), `${own} `, own.replace(/^\w+?_/, 'pet_')]
  const numbered = /_\d+$/.test(own) ? [own.replace(/(\d+)$/, '0$1')] : []

  for (const id of [...others, ...numbered]) {
    const text = `mutation($id: ID!) { ${mutation}(${argument}: $id) { __typename } }`
    const answers = [
      await graphqlOf(app, store)(text, { variables: { id } }),
      ...(kind === 'order' ? [] : [await sendGraphql(app.url, operatorKey, text, { variables: { id } })]),
    ]
    for (const answer of answers) expect([id, codesOf(answer)]).toEqual([id, [code]])
  }
})

test.each([
  ['{ order(id: "12") { id } }', 'order', 'order_12'],
  ['mutation { orderCancel(input: { id: "12" }) { order { id } } }', 'order', 'order_12'],
  [
    'mutation { categorySet(input: { id: "7", name: "Dogs" }) { category { id } } }',
    'category',
    'category_7',
  ],
  ['mutation { categoryRemove(input: { id: "7" }) { deletedId } }', 'category', 'category_7'],
])('the error for an id without its kind shows the form of the id: %s', async (operation, kind, form) => {
  const { errors } = await graphqlOf(app, store)(operation)

  expect(errors).toMatchObject([
    {
      message: `There is no such ${kind}: its id has the form ${form}.`,
      extensions: { code: `${kind}_not_found` },
    },
  ])
})
