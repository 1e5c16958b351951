import { readFileSync } from 'node:fs'
import { domainToASCII } from 'node:url'
import {
  buildSchema,
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { furnishDomains } from '../support/domain-states.ts'
import { makeFiveOfEach } from '../support/five-of-each.ts'
import { codesOf, graphqlOf, sendGraphql } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
beforeAll(async () => {
  app = await startApp()
  store = await app.makeProject()
})
afterAll(() => app.stop())

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))

/** The most bytes that the answer can take, as it is told beside it. */
async function costOf(query: string): Promise<number> {
  const headers = { 'x-explain-cost': 'only' }
  const { extensions } = await sendGraphql(app.url, store.secret, query, { headers })
  return (extensions.cost as { answerBytes: number }).answerBytes
}
/** What a field adds to an answer: its name and its value. */
const added = (field: string, value: number) => Buffer.byteLength(`"${field}":,`) + value
const list = (items: number, value: number) => 2 + items * (1 + value)
const widest = {
  id: `"project_${'x'.repeat(40)}"`.length,
  moment: JSON.stringify(new Date()).length,
  day: '"2030-12-05"'.length,
  int: '-2147483648'.length,
  float: '-1.7976931348623157e+308'.length,
  yesOrNo: 'false'.length,
  undeclared: 300,
}

describe('a field weighs its name and the longest that it can be', () => {
  test.each([
    ['project', 'id', widest.id],
    ['project', 'slug', widest.undeclared],
    ['project', 'name', 602],
    ['project', 'suspended', widest.yesOrNo],
    ['project { currentDeploy', 'createdAt', widest.moment],
    ['project { limits', 'domains', widest.int],
    ['pets(first: 1) { nodes', 'status', '"available"'.length],
    ['pets(first: 1) { nodes', 'etag', 24],
    ['pets(first: 1) { nodes', '__typename', '"Pet"'.length],
    ['usage(days: 1)', 'requests', widest.float],
    ['caller', 'scopes', list(6, '"project_write"'.length)],
    ['usage(days: 1)', 'doors { door }', list(2, 2 + added('door', '"graphql"'.length))],
    ['usage(days: 7)', 'days { date }', list(100, 2 + added('date', widest.day))],
    ['usage', 'keys(first: 7) { key { id } }', list(7, 2 + added('key', 2 + added('id', widest.id)))],
    ['usage', 'keys { key { id } }', list(20, 2 + added('key', 2 + added('id', widest.id)))],
    ['pets(first: 7)', 'nodes { id }', list(7, 2 + added('id', widest.id))],
    ['pets', 'nodes { id }', list(20, 2 + added('id', widest.id))],
    [
      'pets(first: 7)',
      'edges { node { orders(first: 3) { nodes { id } } } }',
      list(
        7,
        2 + added('node', 2 + added('orders', 2 + added('nodes', list(3, 2 + added('id', widest.id))))),
      ),
    ],
    ['plans', 'id', 4 * added('id', widest.id)],
    ['pets(first: 7)', 'nodes { ... on Node { id } }', list(7, 2 + added('id', widest.id))],
    ['categories', 'nodes { id }', list(20, 2 + added('id', widest.id))],
    ['orders', 'nodes { id }', list(20, 2 + added('id', widest.id))],
    ['apiKeys', 'nodes { id }', list(100, 2 + added('id', widest.id))],
    ['domains', 'nodes { id }', list(50, 2 + added('id', widest.id))],
    ['deploys', 'nodes { id }', list(20, 2 + added('id', widest.id))],
    ['projects', 'nodes { id }', list(20, 2 + added('id', widest.id))],
    ['project { pets', 'nodes { id }', list(20, 2 + added('id', widest.id))],
    ['project { apiKeys', 'nodes { id }', list(100, 2 + added('id', widest.id))],
    ['project { domains', 'nodes { id }', list(50, 2 + added('id', widest.id))],
    ['project { deploys', 'nodes { id }', list(20, 2 + added('id', widest.id))],
    ['getPet(petId: 1) { orders', 'nodes { id }', list(10, 2 + added('id', widest.id))],
    ['project { currentDeploy', 'log { level }', list(60, 2 + added('level', '"warning"'.length))],
    ['domain(name: "a.test")', 'addressRecords { type }', list(4, 2 + added('type', 6))],
    ['domain(name: "a.test") { verdict', 'expected', list(5, widest.undeclared)],
    ['domain(name: "a.test") { verdict', 'found { type }', list(5, 2 + added('type', 12))],
    ['pets(first: 0)', 'nodes { id }', list(1, 2 + added('id', widest.id))],
    ['pets(first: -1000000)', 'nodes { id }', list(1, 2 + added('id', widest.id))],
    ['pets(first: 1000000)', 'nodes { id }', list(100, 2 + added('id', widest.id))],
  ])('%s { %s }', async (within, field, bytes) => {
    const [name = ''] = field.split(/[ ({]/)
    const query = (more: string) =>
      `{ ${within} { a: __typename ${more} } ${within.includes('{') ? '}' : ''} }`
    const own = within === 'plans' ? bytes : added(name, bytes)

    expect((await costOf(query(field))) - (await costOf(query('')))).toBe(own)
  })

  test('a length that cannot be is no discount for the rest', async () => {
    const pages = Array.from({ length: 19 }, (_, n) => `p${n}: pets(first: 100) { nodes { name } }`).join(' ')
    const answer = await graphqlOf(app, store)(`{ less: pets(first: -2000000) { nodes { name } } ${pages} }`)

    expect(codesOf(answer)).toEqual(['operation_too_complex'])
  })

  test('what may stand for a node weighs as the largest of them', async () => {
    const [project, order] = ['... on Project { name }', '... on Order { note }']
    const of = (inner: string) => costOf(`{ node(id: "order_1") { ${inner} } }`)

    expect(await of(`${project} ${order}`)).toBe(await of(order))
    expect(await of(`${order} ${project}`)).toBe(await of(order))
    expect((await of(order)) - (await of(project))).toBe(6002 - 602)
  })
})

describe('the schema weighs what it is', () => {
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
  const name = 2 + added('name', 90)
  const named = (items: number) => 2 + Math.ceil(items * (1 + name))
  const mean = (of: number[] = []) => of.reduce((sum, length) => sum + length, 0) / of.length
  const cost = async (query: string) => (await costOf(`{ ${query} }`)) - 2

  test.each(Object.keys(lengths))(
    'its %s as the longest list of them, and among all types on average',
    async of => {
      const longest = Math.max(...(lengths[of] ?? []))
      const average = 2 + added(of, named(mean(lengths[of])))

      expect(await cost(`__type(name: "Pet") { ${of} { name } }`)).toBe(
        added('__type', 2 + added(of, named(longest))),
      )
      expect(await cost(`__schema { types { ${of} { name } } }`)).toBe(
        added('__schema', 2 + added('types', 2 + Math.ceil(types.length * (1 + average)))),
      )
    },
  )

  test('its types, directives and arguments as many as they are, and what wraps another as often as one does', async () => {
    const args = Math.max(...fields.flat().map(({ args }) => args.length))

    expect(await cost('__schema { types { name } }')).toBe(
      added('__schema', 2 + added('types', named(types.length))),
    )
    expect(await cost('__schema { directives { name } }')).toBe(
      added('__schema', 2 + added('directives', named(schema.getDirectives().length))),
    )
    const most = Math.max(...(lengths.fields ?? []))
    const field = 2 + added('args', named(args))
    expect(await cost('__type(name: "Pet") { fields { args { name } } }')).toBe(
      added('__type', 2 + added('fields', 2 + Math.ceil(most * (1 + field)))),
    )
    const usual = 2 + added('args', named(mean(fields.flat().map(({ args }) => args.length))))
    const ofType = 2 + added('fields', 2 + Math.ceil(mean(lengths.fields) * (1 + usual)))
    expect(await cost('__schema { types { fields { args { name } } } }')).toBe(
      added('__schema', 2 + added('types', 2 + Math.ceil(types.length * (1 + ofType)))),
    )
    expect(await cost('__type(name: "Pet") { ofType { name } }')).toBe(
      added('__type', 2 + added('ofType', Math.ceil(0.67 * name))),
    )
  })
})

describe('no answer is longer than was reckoned', () => {
  const odd = (length: number) => `x${'\u0001'.repeat(length - 1)}`
  const long = `www.${'a'.repeat(59)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(55)}.test`
  const unicode = domainToASCII(Array(3).fill('食'.repeat(55)).join('.').concat('.test'))
  const menu = 'menu.paws.example'
  let full: TestProject
  beforeAll(async () => {
    const { db } = app.tools
    full = await app.makeProject()
    const { id: projectId } = full.project
    await makeFiveOfEach(app, full)
    await furnishDomains(app.tools, full.project)
    const where = { projectId }
    await db.project.update({ where: { id: projectId }, data: { slug: 's'.repeat(40), name: odd(100) } })
    await db.pet.updateMany({ where, data: { name: odd(255), categoryId: -(2n ** 63n) } })
    await db.category.updateMany({ where: { ...where, id: 0n }, data: { name: odd(100), id: -(2n ** 63n) } })
    const said = { petName: odd(255), note: odd(1000), categoryId: -(2n ** 63n) }
    await db.order.updateMany({ where, data: said })
    await db.apiKey.updateMany({ where, data: { name: odd(100) } })
    const [order] = await db.order.findMany({ where, orderBy: { id: 'desc' } })
    await db.order.updateMany({ where: { ...where, id: order?.id ?? 0n }, data: { reference: odd(100) } })
    const configuration = {
      ...{ title: odd(100), description: odd(1000) },
      domains: { primary: long, redirects: [{ from: long, to: unicode, status: 301 }] },
    }
    await db.deploy.create({ data: { projectId, succeeded: true, configuration, log: [] } })
    const now = new Date()
    for (const name of [long, unicode])
      await db.domain.create({ data: { projectId, name, createdAt: now, looksSince: now } })
  })

  const one = (field: string) => (inner: string) => `${field}(first: 1) { nodes { ${inner} } }`
  const named = (name: string, field?: string) => (inner: string) =>
    `domain(name: "${name}") { ${field ? `${field} { ${inner} }` : inner} }`
  const in_ =
    (...fields: string[]) =>
    (inner: string) =>
      `${fields.join(' { ')} { ${inner} }${' }'.repeat(fields.length - 1)}`
  test.each<[string, (inner: string) => string]>([
    ['Project', in_('project')],
    ['Plan', in_('project', 'plan')],
    ['Limits', in_('project', 'limits')],
    ['RateLimit', in_('rateLimit')],
    ['RateLimitWindow', in_('rateLimit', 'day')],
    ['Caller', in_('caller')],
    ['Pet', one('pets')],
    ['PetEdge', in_('pets(first: 1)', 'edges')],
    ['PageInfo', in_('pets(first: 1)', 'pageInfo')],
    ['Category', one('categories')],
    ['Order', one('orders')],
    ['ApiKey', one('apiKeys')],
    ['ApiKeyEdge', in_('apiKeys(first: 1)', 'edges')],
    ['Domain', named(long)],
    ['Domain', named(unicode)],
    ['DomainEdge', in_(`domains(first: 1, name: "${long}")`, 'edges')],
    ['PageInfo', in_(`domains(first: 1, name: "${long}")`, 'pageInfo')],
    ['DnsRecordToCreate', named(long, 'record')],
    ['DnsRecordToCreate', named(long, 'ownershipRecord')],
    ['DomainPartner', named(long, 'partner')],
    ['DomainRedirect', named(long, 'redirect')],
    ['DomainVerdict', named(menu, 'verdict')],
    ['DnsRecordFound', named(menu, 'verdict { recordInTheWay')],
    ['DomainCertificate', named('www.paws.example', 'certificateDetails')],
    ['Deploy', one('deploys')],
    ['DeployConfiguration', in_('project', 'currentDeploy', 'configuration')],
    ['DomainsConfiguration', in_('project', 'currentDeploy', 'configuration', 'domains')],
    ['Usage', in_('usage(days: 1)')],
    ['UsageByDoor', in_('usage(days: 1)', 'doors')],
    ['DomainPreconditions', in_('domainPreconditions')],
    ['Precondition', in_('domainPreconditions', 'plan')],
    ['Inventory', in_('inventory')],
  ])('whichever field of %s is asked for: %#', async (name, within) => {
    const fields = Object.values((schema.getType(name) as GraphQLObjectType).getFields())
    const leaves = fields.filter(
      ({ type, args }) => isLeafType(getNamedType(type)) && !args.some(isRequiredArgument),
    )
    expect(leaves.length).toBeGreaterThan(0)
    for (const leaf of leaves) {
      const query = within(leaf.name)
      const balanced = query + ' }'.repeat(query.split('{').length - query.split('}').length)
      const answer = await graphqlOf(app, full)(`{ ${balanced} }`, { extensions: { cost: true } })

      expect(answer.errors, leaf.name).toEqual([])
      const { answerBytes } = answer.extensions.cost as { answerBytes: number }
      expect(Buffer.byteLength(JSON.stringify(answer.data)), leaf.name).toBeLessThanOrEqual(answerBytes)
    }
  })
})
