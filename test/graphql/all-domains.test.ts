import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { furnishDomains, furnished } from '../support/domain-states.ts'
import { fill } from '../support/fill.ts'
import { codesOf, graphqlOf, sendGraphql } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'
import { countStatements } from '../support/statements.ts'

const operatorKey = 'operator-of-the-tests-0123456789abcdef'
let app: App
let shop: TestProject
let suspended: TestProject
let lapsed: TestProject
let ending: TestProject

const dayMs = 86_400_000
const asOperator = (query: string, variables?: unknown) =>
  sendGraphql(app.url, operatorKey, query, { variables })

beforeAll(async () => {
  app = await startApp({ env: { OPERATOR_KEY: operatorKey } })
  const { db } = app.tools
  shop = await app.makeProject()
  suspended = await app.makeProject()
  lapsed = await app.makeProject()
  ending = await app.makeProject()
  await furnishDomains(app.tools, shop.project)
  const now = Date.now()
  const at = (days: number) => new Date(now + days * dayMs)
  const changeProject = ({ project }: TestProject, data: object) =>
    db.project.update({ where: { id: project.id }, data })
  const add = ({ project }: TestProject, name: string, notAfter?: Date) =>
    Promise.all([
      db.domain.create({
        data: {
          projectId: project.id,
          name,
          createdAt: at(-9),
          looksSince: at(-9),
          ...(notAfter && { ownedName: name, state: 'live' as const, verifiedAt: at(-9) }),
        },
      }),
      notAfter && db.certificate.create({ data: { name, chain: 'a chain', notAfter, wantedSince: at(-9) } }),
    ])
  await add(suspended, 'suspended.example', at(9))
  await add(suspended, 'waiting.example')
  await add(lapsed, 'lapsed.example', at(9))
  await add(lapsed, 'ended.example', at(-1))
  await add(ending, 'ending.example', at(-1))
  await add(ending, 'xn--bcher-kva.example', at(9))
  await add(ending, 'www.paws.example')
  await add(ending, 'sealed.example', at(9))
  await db.certificate.update({ where: { name: 'sealed.example' }, data: { unreadableSince: at(-1) } })
  await changeProject(suspended, { suspendedAt: at(-1) })
  await changeProject(lapsed, { planName: 'free', domainsGraceEndsAt: at(-1) })
  await changeProject(ending, { planName: 'free', domainsGraceEndsAt: at(1) })
})
afterAll(() => app.stop())

type Node = { name: string; projectSlug: string; host: string; certificate: string }
const fields = 'nodes { name projectSlug host certificate } pageInfo { hasNextPage endCursor }'

/** Reads all pages. */
async function everyDomain(args = 'first: 100', send = asOperator): Promise<Node[]> {
  const query = `query($after: String) { domains(${args}, after: $after) { ${fields} } }`
  const found: Node[] = []
  for (let after: string | null = null, more = true; more; ) {
    const { data } = await send(query, { after })
    found.push(...data.domains.nodes)
    ;({ endCursor: after, hasNextPage: more } = data.domains.pageInfo)
  }
  return found
}
const namesOf = (nodes: Node[]) => nodes.map(({ name }) => name)

describe('domains over all projects', () => {
  test('an operator sees the domains of every project as their owners see them', async () => {
    const all = await everyDomain()

    expect(all).toHaveLength(furnished.length + 8)
    expect(namesOf(all)).toEqual(expect.arrayContaining(furnished.map(({ name }) => name)))
    for (const each of [shop, ending]) {
      const own = await everyDomain('first: 50', (query, variables) =>
        graphqlOf(app, each)(query, { variables }),
      )
      const listed = all.filter(({ projectSlug }) => projectSlug === each.project.slug)
      expect(new Set(listed)).toEqual(new Set(own))
    }
    const claims = all.filter(({ name }) => name === 'www.paws.example')
    expect(new Set(claims.map(({ projectSlug }) => projectSlug))).toEqual(
      new Set([shop.project.slug, ending.project.slug]),
    )
    expect(all.filter(({ host }) => host === 'paused').map(({ name }) => name)).toHaveLength(3)
  })

  test.each([1, 2, 7])('pages of %i list every domain once, in a fixed order', async first => {
    expect(await everyDomain(`first: ${first}`)).toEqual(await everyDomain())
  })

  test.each([
    ['host', ['pending', 'stale', 'live', 'drifted', 'paused']],
    ['certificate', ['none', 'issuing', 'issued', 'failed', 'expiring']],
  ] as const)('the filter by %s lists exactly the domains in that state', async (axis, states) => {
    const all = await everyDomain()

    for (const state of states) {
      const alike = all.filter(domain => domain[axis] === state)
      expect(alike.length, state).toBeGreaterThan(0)
      expect(await everyDomain(`first: 3, ${axis}: ${state}`)).toEqual(alike)
    }
  })

  test('a list of domains has no next page if its last page is exactly full', async () => {
    const { length } = await everyDomain()
    const hasNext = async (first: number) =>
      (await asOperator(`{ domains(first: ${first}) { pageInfo { hasNextPage } } }`)).data.domains.pageInfo
        .hasNextPage

    expect([await hasNext(length - 1), await hasNext(length), await hasNext(length + 1)]).toEqual([
      true,
      false,
      false,
    ])
  })

  test('a domain must match all given filters, and the name filter finds a part of a name in upper case or in Unicode', async () => {
    const find = async (args: string) => namesOf(await everyDomain(args)).sort()

    expect(await find('host: paused, certificate: none')).toEqual(['ended.example'])
    expect(await find('host: live, certificate: failed, name: "ending."')).toEqual(['ending.example'])
    expect(await find('name: " LAPSED "')).toEqual(['lapsed.example'])
    expect(await find('name: "BÜCHER"')).toEqual(['xn--bcher-kva.example'])
    for (const name of ['%', '_', 'lapsed\0', '\ud800', "'", 'ü ü']) {
      const none = await asOperator('query($name: String) { domains(name: $name) { nodes { name } } }', {
        name,
      })
      expect(none.data).toEqual({ domains: { nodes: [] } })
    }
  })

  test('the domain filters of a project’s key find only domains of that project', async () => {
    const send = (query: string, variables?: unknown) => graphqlOf(app, ending)(query, { variables })
    const { data } = await asOperator('{ domains(first: 1) { pageInfo { endCursor } } }')
    const after = data.domains.pageInfo.endCursor

    expect(namesOf(await everyDomain('first: 1, name: "example"', send))).toEqual(
      namesOf(await everyDomain('first: 9', send)),
    )
    expect(namesOf(await everyDomain('certificate: issued', send))).toEqual(['xn--bcher-kva.example'])
    expect(await everyDomain('host: paused', send)).toEqual([])
    expect(
      codesOf(await send(`{ domains(name: ".", after: "${after}") { nodes { projectSlug } } }`)),
    ).toEqual(['invalid_input'])
    const { secret } = await shop.issueKey(['pets:read'])
    expect(codesOf(await sendGraphql(app.url, secret, '{ domains(host: live) { nodes { name } } }'))).toEqual(
      ['insufficient_scope'],
    )
  })

  test('a page size out of range and a cursor of another list are rejected', async () => {
    const cursor = (text: string) => Buffer.from(text).toString('base64url')
    for (const args of [
      'first: 0',
      'first: 101',
      'after: "nonsense"',
      `after: "${cursor('domain a.test')}"`,
      `after: "${cursor('filtered domain a.test')}"`,
      `after: "${cursor('filtered domain a.test 12')}"`,
    ])
      expect(codesOf(await asOperator(`{ domains(${args}) { nodes { name } } }`)), args).toEqual([
        'invalid_input',
      ])
    const own = await graphqlOf(app, shop)('{ domains(first: 51, host: live) { nodes { name } } }')
    expect(codesOf(own)).toEqual(['invalid_input'])
  })

  test('a page of domains takes the same number of statements with ten thousand domains as with ten', async ({
    skip,
  }) => {
    if (!app.tools.database.pool) return skip('PostgreSQL is not installed')
    const many = await app.makeProject()
    const before = (await everyDomain()).length
    const page = (first: number) => asOperator(`{ domains(first: ${first}) { ${fields} } }`)
    await page(1)
    const tables = ['domains', 'projects', 'certificates']
    // A background job may read these tables too, so use the lowest of three counts.
    const counts = [1, 2, 3].map(() => () => countStatements(tables, () => page(10)))
    let few = Number.POSITIVE_INFINITY
    for (const count of counts) few = Math.min(few, await count())
    await fill(
      app.tools,
      `INSERT INTO domains (id, project_id, name, created_at, looks_since)
       SELECT gen_random_uuid(), ${many.project.id}, 'shop-' || n || '.many.example', now(), now() FROM generate_series(1, 10000) AS n`,
    )

    // The new domains invalidate the service's cached data, so the first counts may include reading this data again.
    await expect.poll(() => countStatements(tables, () => page(100)), { timeout: 5000 }).toBe(few)
    const found = namesOf(await everyDomain())
    expect(found).toHaveLength(before + 10_000)
    expect(new Set(found.filter(name => name.endsWith('.many.example'))).size).toBe(10_000)
    expect(await everyDomain('host: pending, name: "SHOP-9999.M"')).toHaveLength(1)
  })
})
