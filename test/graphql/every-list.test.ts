import { readFileSync } from 'node:fs'
import { buildSchema, type GraphQLField, getNamedType, isObjectType } from 'graphql'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parseEventId } from '../../src/core/events/position.ts'
import { movableClock } from '../support/clock.ts'
import { type FiveOfEach, makeFiveOfEach } from '../support/five-of-each.ts'
import { codesOf, sendGraphql } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-of-the-lists-0123456789abcdef'
const clock = movableClock()
let app: App
let store: TestProject
let made: FiveOfEach
let projects: string[]
let lastPlacedAt: string
beforeAll(async () => {
  app = await startApp({ clock, env: { OPERATOR_KEY: operatorKey } })
  store = await app.makeProject()
  made = await makeFiveOfEach(app, store)
  const { db } = app.tools
  const { projectId, id } = await db.order.findFirstOrThrow({ orderBy: { id: 'desc' } })
  const placedAt = new Date(Date.now() + 1000)
  await db.order.update({ where: { projectId_id: { projectId, id } }, data: { placedAt } })
  lastPlacedAt = placedAt.toISOString()
  await giveActor()
  projects = [store.project.slug]
  for (let n = 1; n < 5; n++) {
    const { project } = await app.makeProject({ plan: n === 2 ? 'pro' : 'free' })
    projects.push(project.slug)
    if (n === 3) {
      const data = { suspendedAt: new Date(), name: 'Suspended' }
      await app.tools.db.project.update({ where: { id: project.id }, data })
    }
  }
})
afterAll(() => app.stop())
/** Changes the second of the five entries about new domains: gives it an operator as actor, and an earlier time. */
async function giveActor(): Promise<void> {
  const { db } = app.tools
  const number = parseEventId(made.entries[1]?.split('_')[2] ?? '')?.number ?? 0n
  const data = { actor: { type: 'operator', name: 'mara' }, at: new Date('2026-11-01') }
  await db.event.update({ where: { projectId_number: { projectId: store.project.id, number } }, data })
}
// Each test has a minute of the management budget for itself.
beforeEach(() => clock.advance(61_000))

type Row = {
  field: string
  args?: string
  within?: (list: string) => string
  as?: 'operator'
  ids: () => string[]
}
const inProject = (list: string) => `project { ${list} }`
const inWebhook = (list: string) => `webhook(id: "${made.webhooks[0]}") { ${list} }`
const inPet = (list: string) => `node(id: "${made.pets[0]}") { ... on Pet { ${list} } }`

/** Every list of the schema, with the ids that it should contain. */
const lists: Record<string, Row> = {
  'Query.pets': { field: 'pets', ids: () => made.pets },
  'Query.categories': { field: 'categories', ids: () => made.categories },
  'Query.orders': { field: 'orders', ids: () => made.orders },
  'Query.events': { field: 'events', args: 'types: ["pet.created"]', ids: () => made.events },
  'Query.auditLog': { field: 'auditLog', args: 'types: ["domain.added"]', ids: () => made.entries },
  'Webhook.deliveries': { field: 'deliveries', within: inWebhook, ids: () => made.deliveries },
  'Query.webhooks': { field: 'webhooks', ids: () => made.webhooks },
  'Query.apiKeys': { field: 'apiKeys', ids: () => made.apiKeys },
  'Query.domains': { field: 'domains', ids: () => made.domains },
  'Query.deploys': { field: 'deploys', ids: () => made.deploys },
  'Query.projects': { field: 'projects', as: 'operator', ids: () => projects.map(slug => `project_${slug}`) },
  'Pet.orders': { field: 'orders', within: inPet, ids: () => made.orders },
  'Project.pets': { field: 'pets', within: inProject, ids: () => made.pets },
  'Project.categories': { field: 'categories', within: inProject, ids: () => made.categories },
  'Project.orders': { field: 'orders', within: inProject, ids: () => made.orders },
  'Project.apiKeys': { field: 'apiKeys', within: inProject, ids: () => made.apiKeys },
  'Project.domains': { field: 'domains', within: inProject, ids: () => made.domains },
  'Project.deploys': { field: 'deploys', within: inProject, ids: () => made.deploys },
}
const newest = { args: 'sort: newest_first', ids: () => made.pets.toReversed() }
const variants: Record<string, Row & { args: string }> = {
  'Query.pets, the newest first': { field: 'pets', ...newest },
  'Query.domains filtered by name': { field: 'domains', args: 'name: "."', ids: () => made.domains },
  'Query.auditLog of all projects': {
    ...{ field: 'auditLog', as: 'operator', args: 'types: ["domain.added"]' },
    // The list is sorted by time, and the second entry was given an earlier time than the others.
    ids: () => [...made.entries.filter((_, n) => n !== 1), made.entries[1] ?? ''],
  },
  'Query.domains of all projects': { field: 'domains', as: 'operator', args: '', ids: () => made.domains },
  'Query.projects, the most used first': {
    ...{ field: 'projects', as: 'operator', args: 'order: most_used' },
    ids: () => projects.map(slug => `project_${slug}`),
  },
  'Query.projects, the newest first': {
    ...{ field: 'projects', as: 'operator', args: 'order: newest' },
    ids: () => projects.map(slug => `project_${slug}`).reverse(),
  },
}

type Page = {
  edges: { cursor: string; node: Node }[]
  nodes: Node[]
  pageInfo: {
    hasNextPage: boolean
    hasPreviousPage: boolean
    startCursor: string | null
    endCursor: string | null
  }
}
type Node = { id: string; [more: string]: unknown }

async function ask({ field, within = list => list, as }: Row, given: string, selected = 'id'): Promise<Page> {
  const whole = `edges { cursor node { id } } nodes { ${selected} }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`
  const query = `{ ${within(`list: ${field}${given && `(${given})`} { ${whole} }`)} }`
  const answer = await sendGraphql(app.url, as ? operatorKey : store.secret, query)
  expect(answer.errors).toEqual([])
  const [outer] = Object.values(answer.data) as [Page & { list?: Page }]
  return outer.list ?? outer
}
const idsOf = ({ nodes }: Page) => nodes.map(({ id }) => id)

describe.each(Object.entries({ ...lists, ...variants }))('%s', (_name, row) => {
  const args = row.args ?? ''

  test.each([1, 2, 5])('a list shows each item once, in pages of %i with a correct pageInfo', async first => {
    const ids = row.ids()
    const cursors: string[] = []
    for (let at = 0; at < ids.length; at += first) {
      const after = at === 0 ? '' : `after: "${cursors.at(-1)}"`
      const { edges, nodes, pageInfo } = await ask(row, `first: ${first} ${after} ${args}`)
      cursors.push(...edges.map(({ cursor }) => cursor))

      expect(idsOf({ edges, nodes, pageInfo })).toEqual(ids.slice(at, at + first))
      expect(edges.map(({ node }) => node)).toEqual(nodes)
      expect(pageInfo).toEqual({
        hasNextPage: at + first < ids.length,
        hasPreviousPage: at > 0,
        startCursor: cursors[at],
        endCursor: cursors.at(-1),
      })
    }
    expect(new Set(cursors).size).toBe(ids.length)
    const beyond = await ask(row, `first: ${first} after: "${cursors.at(-1)}" ${args}`)
    const ends = { startCursor: null, endCursor: null }
    expect(beyond).toEqual({
      ...{ edges: [], nodes: [] },
      pageInfo: { hasNextPage: false, hasPreviousPage: true, ...ends },
    })
  })

  test.each([1, 2, 5])('a list shows each item once from its end, in pages of %i', async last => {
    const ids = row.ids()
    const cursors: string[] = []
    for (let end = ids.length; end > 0; end -= last) {
      const before = end === ids.length ? '' : `before: "${cursors[0]}"`
      const page = await ask(row, `last: ${last} ${before} ${args}`)
      const start = Math.max(0, end - last)
      cursors.unshift(...page.edges.map(({ cursor }) => cursor))

      expect(idsOf(page)).toEqual(ids.slice(start, end))
      expect(page.edges.map(({ node }) => node)).toEqual(page.nodes)
      expect(page.pageInfo).toEqual({
        hasNextPage: end < ids.length,
        hasPreviousPage: start > 0,
        startCursor: cursors[0],
        endCursor: cursors[end - start - 1],
      })
    }
    const { edges } = await ask(row, `first: 5 ${args}`)
    expect(cursors).toEqual(edges.map(({ cursor }) => cursor))
    const before = `last: ${last} before: "${cursors[0]}"`
    expect(await ask(row, `${before} ${args}`)).toMatchObject({
      ...{ edges: [], pageInfo: { hasNextPage: true, hasPreviousPage: false } },
    })
  })

  test('a list rejects first with last, first with before, last with after, and before without last', async () => {
    const [edge] = (await ask(row, `first: 1 ${args}`)).edges
    const cursor = JSON.stringify(edge?.cursor)
    for (const [given, ...fields] of [
      ['first: 1 last: 1', 'first'],
      [`last: 1 after: ${cursor}`, 'after'],
      [`before: ${cursor}`, 'last'],
      [`first: 1 before: ${cursor}`, 'last', 'first'],
      ['last: 0', 'last'],
      ['last: 101', 'last'],
      ['last: 1 before: "x"', 'before'],
    ] as const) {
      const query = `{ ${(row.within ?? String)(`list: ${row.field}(${given} ${args}) { nodes { id } }`)} }`
      const { errors } = await sendGraphql(app.url, row.as ? operatorKey : store.secret, query)

      expect(errors[0]?.extensions).toMatchObject({
        code: 'invalid_input',
        details: fields.map(field => ({ field })),
      })
    }
  })

  test('null for first, after, last and before gives the default page', async () => {
    const nulls = ['first', 'after', 'last', 'before'].map(name => `${name}: null`).join(' ')

    const pages = [await ask(row, args), await ask(row, `${nulls} ${args}`)]

    expect(pages[1]).toEqual(pages[0])
    expect(pages.map(idsOf)).toEqual([row.ids(), row.ids()])
  })

  test('a list rejects a cursor that was changed', async () => {
    const [edge] = (await ask(row, `first: 1 ${args}`)).edges
    for (const after of [`${edge?.cursor}=`, `${edge?.cursor}!`, ` ${edge?.cursor}`]) {
      const query = `{ ${(row.within ?? String)(`list: ${row.field}(after: "${after}" ${args}) { nodes { id } }`)} }`
      const answer = await sendGraphql(app.url, row.as ? operatorKey : store.secret, query)

      expect(answer.errors).toMatchObject([
        { extensions: { code: 'invalid_input', details: [{ field: 'after' }] } },
      ])
    }
  })
})

type Filter = { given: () => string; selected?: string; leaves: (node: Node) => boolean }
const by = (selected: string, value: string, leaves: (node: Node) => boolean): Filter => ({
  ...{ given: () => value, selected, leaves },
})
const isBefore = (end: unknown, days: number) =>
  end !== null && Date.parse(String(end)) < Date.now() + days * 86_400_000
const inDays = (days: number) => JSON.stringify(new Date(Date.now() + days * 86_400_000).toISOString())
const petFilters = {
  status: by('status', 'available', ({ status }) => status === 'available'),
  categoryId: by('categoryId', '1', ({ categoryId }) => categoryId === '1'),
  name: by('name', '"OF 1"', ({ name }) => /of 1/.test(String(name))),
}
const keyFilters = {
  search: by('name', '"END"', ({ name }) => /end/i.test(String(name))),
  states: by('state', '[expired, revoked]', ({ state }) => ['expired', 'revoked'].includes(String(state))),
  endsBefore: {
    ...by('expiresAt', '', ({ expiresAt }) => isBefore(expiresAt, 2)),
    given: () => inDays(2),
  },
}
const orderFilters = {
  status: by('status', 'delivered', ({ status }) => status === 'delivered'),
  petId: by('petId', '999', () => false),
  reference: by('reference', '"Reference 3"', ({ reference }) => reference === 'Reference 3'),
  search: by('reference', '"ENCE 3"', ({ reference }) => reference === 'Reference 3'),
  placedFrom: {
    ...by('placedAt', '', ({ placedAt }) => String(placedAt) >= lastPlacedAt),
    given: () => JSON.stringify(lastPlacedAt),
  },
  placedBefore: {
    ...by('placedAt', '', ({ placedAt }) => String(placedAt) < lastPlacedAt),
    given: () => JSON.stringify(lastPlacedAt),
  },
}
const categoryFilters = { name: by('name', '"ND 3"', ({ name }) => /nd 3/i.test(String(name))) }
/** The filters of each list, and the items that should match each. */
const filters: Record<string, Record<string, Filter>> = {
  'Query.pets': petFilters,
  'Project.pets': petFilters,
  'Query.categories': categoryFilters,
  'Project.categories': categoryFilters,
  'Query.apiKeys': keyFilters,
  'Project.apiKeys': keyFilters,
  'Query.orders': orderFilters,
  'Project.orders': orderFilters,
  'Query.events': {
    types: by('type', '["order.placed", "category.named"]', ({ type }) => /placed|named/.test(String(type))),
    subject: by('subject', '"category:3"', ({ subject }) => subject === 'category:3'),
  },
  'Query.auditLog': {
    slug: { given: () => `"${store.project.slug}"`, leaves: () => true },
    actor: by(
      'actor { name }',
      '"operator:mara"',
      ({ actor }) => (actor as { name: string }).name === 'mara',
    ),
    types: by('type', '["domain.added"]', ({ type }) => type === 'domain.added'),
    subject: by('subject', '"deploy:1"', ({ subject }) => subject === 'deploy:1'),
    since: by('at', '"2026-11-02T00:00:00Z"', ({ at }) => String(at) > '2026-11-02'),
    until: by('at', '"2026-11-02T00:00:00Z"', ({ at }) => String(at) < '2026-11-02'),
  },
  'Query.domains': {
    host: by('host', 'pending', ({ host }) => host === 'pending'),
    certificate: by('certificate', 'issuing', ({ certificate }) => certificate === 'issuing'),
    name: by('name', '"E."', ({ name }) => String(name).startsWith('e.')),
  },
  'Query.projects': {
    search: by('name', '"SUSP"', ({ name }) => name === 'Suspended'),
    plan: by('plan { name }', 'pro', ({ plan }) => (plan as { name: string }).name === 'pro'),
    suspended: by('suspended', 'true', ({ suspended }) => suspended === true),
  },
}
const everyFilter = Object.entries(filters).flatMap(([list, of]) =>
  Object.entries(of).map(([name, filter]) => ({ list, name, ...filter })),
)

test.each(everyFilter)(
  '$list is filtered by $name, and null does not filter',
  async ({ list, name, given, selected = '', leaves }) => {
    const row = lists[list] as Row
    const all = await ask(row, 'first: 50', `id ${selected}`)

    const [some, unfiltered] = [
      await ask(row, `${name}: ${given()}`, `id ${selected}`),
      await ask(row, `first: 50 ${name}: null`, `id ${selected}`),
    ]

    expect(some.nodes).toEqual(all.nodes.filter(leaves))
    const fromEnd = await ask(row, `last: 50 ${name}: ${given()}`, `id ${selected}`)
    expect(fromEnd.nodes).toEqual(some.nodes)
    if (name !== 'slug') expect(some.nodes.length).toBeLessThan(all.nodes.length)
    if (name !== 'petId') expect(some.nodes.length).toBeGreaterThan(0)
    expect(unfiltered.nodes).toEqual(all.nodes)
  },
)

test('the tables of this test have every list of the schema with all its filters', () => {
  const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))
  const found: [string, GraphQLField<unknown, unknown>][] = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap(type =>
      Object.values(type.getFields()).map(field => [`${type.name}.${field.name}`, field] as const),
    )
    .filter(([, { type }]) => getNamedType(type).name.endsWith('Connection'))
    .map(([name, field]) => [name, field])
  const ordering = ['first', 'after', 'last', 'before', 'sort', 'order']
  const filtering = found.map(([name, { args }]) => [
    name,
    args.map(arg => arg.name).filter(arg => !ordering.includes(arg)),
  ])

  expect(found.map(([name]) => name).sort()).toEqual(Object.keys(lists).sort())
  expect(filtering).toEqual(found.map(([name]) => [name, Object.keys(filters[name] ?? {})]))
})

test('an empty search does not filter a list, and an empty name is rejected as a filter of pets', async () => {
  for (const list of ['Query.apiKeys', 'Query.projects'])
    expect(idsOf(await ask(lists[list] as Row, 'search: ""'))).toEqual(lists[list]?.ids())
  expect(codesOf(await sendGraphql(app.url, store.secret, '{ pets(name: "") { nodes { id } } }'))).toEqual([
    'invalid_input',
  ])
})
