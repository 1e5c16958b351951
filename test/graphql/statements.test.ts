import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { units } from '../../src/graphql/prices.ts'
import { makeFiveOfEach } from '../support/five-of-each.ts'
import { graphqlOf, sendGraphql } from '../support/graphql.ts'
import { unitsOf } from '../support/graphql-cost.ts'
import {
  everything,
  fieldsOfProjects,
  firstOf,
  ofEachProject,
  requiring,
  rootFields,
  withArguments,
} from '../support/graphql-shapes.ts'
import { signedIn } from '../support/people.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'
import { countStatements, watchStatements } from '../support/statements.ts'

const operatorKey = 'operator-of-the-tests-0123456789abcdef'
const tables = [
  'pets',
  'categories',
  'orders',
  'pet_counts',
  'api_keys',
  'key_usage',
  'deprecated_uses',
  'domains',
  'certificates',
  'deploys',
  'projects',
  'plans',
]
let app: App
beforeAll(async () => {
  app = await startApp({ env: { OPERATOR_KEY: operatorKey } })
  // Stop the jobs: their statements would be counted too.
  await app.tools.jobs.close()
})
afterAll(() => app.stop())

test('a page of pets takes one statement, whatever its length and its fields', async ({ skip }) => {
  if (!app.tools.database.pool) return skip('PostgreSQL is not installed')
  const project = await app.makeProject()
  await app.tools.db.pet.createMany({
    data: Array.from({ length: 100 }, (_, i) => ({
      projectId: project.project.id,
      name: `Pet ${i}`,
      categoryId: 1n,
    })),
  })
  const send = graphqlOf(app, project)
  const page = (first: number) =>
    send(
      `{ pets(first: ${first}) { edges { cursor node { id name categoryId status } } nodes { id name categoryId status } pageInfo { hasNextPage endCursor } } }`,
    )
  await page(1)

  expect(await countStatements(['pets'], () => page(1))).toBe(1)
  expect(await countStatements(['pets', 'categories'], () => page(100))).toBe(1)
})

test('the category names of a page of pets take one more statement', async ({ skip }) => {
  if (!app.tools.database.pool) return skip('PostgreSQL is not installed')
  const project = await app.makeProject()
  const projectId = project.project.id
  await app.tools.db.pet.createMany({
    data: Array.from({ length: 100 }, (_, i) => ({
      projectId,
      name: `Pet ${i}`,
      categoryId: BigInt(i % 10),
    })),
  })
  await app.tools.db.category.createMany({
    data: Array.from({ length: 5 }, (_, i) => ({ projectId, id: BigInt(i), name: `Category ${i}` })),
  })
  const send = graphqlOf(app, project)
  const page = () => send('{ pets(first: 100) { nodes { name category { name } } } }')
  await page()

  expect(await countStatements(['pets', 'categories'], page)).toBe(2)
})

test('a page of a hundred pets with their categories and orders takes three statements', async ({ skip }) => {
  if (!app.tools.database.pool) return skip('PostgreSQL is not installed')
  const project = await app.makeProject()
  const projectId = project.project.id
  await app.tools.db.pet.createMany({
    data: Array.from({ length: 100 }, (_, i) => ({
      projectId,
      name: `Pet ${i}`,
      categoryId: BigInt(i % 10),
    })),
  })
  const pets = await app.tools.db.pet.findMany({ where: { projectId } })
  await app.tools.db.category.create({ data: { projectId, id: 1n, name: 'Dogs' } })
  await app.tools.db.order.createMany({
    data: pets.flatMap(({ id, name, categoryId }) =>
      [1, 2].map(() => ({ projectId, petId: id, petName: name, categoryId, status: 'cancelled' as const })),
    ),
  })
  const send = graphqlOf(app, project)
  const page = () =>
    send(
      '{ pets(first: 100) { nodes { name category { name } orders(first: 1) { nodes { id } pageInfo { hasNextPage } } } } }',
    )
  const { data } = await page()

  expect(data.pets.nodes[0].orders).toMatchObject({ nodes: [{}], pageInfo: { hasNextPage: true } })
  expect(await countStatements(['pets', 'categories', 'orders'], page)).toBe(3)
  const orders = () => send('{ orders(first: 100) { nodes { pet { name category { name } } } } }')
  await orders()
  expect(await countStatements(['pets', 'categories', 'orders'], orders)).toBe(3)
})

test('deprecatedUse of all keys on a page of keys is read with one statement', async ({ skip }) => {
  if (!app.tools.database.pool) return skip('PostgreSQL is not installed')
  const project = await app.makeProject()
  for (let i = 0; i < 20; i++) await (await project.issueKey()).get('/v1/pets/1')
  await app.tools.usageCounter.flush()
  const send = graphqlOf(app, project)
  const list = (first: number) =>
    send(`{ apiKeys(first: ${first}) { nodes { id name state current deprecatedUse { field count } } } }`)

  expect(
    (await list(20)).data.apiKeys.nodes.every(
      (key: { deprecatedUse: unknown[] }) => key.deprecatedUse.length === 1,
    ),
  ).toBe(true)
  expect(await countStatements(['deprecated_uses'], () => list(20))).toBe(1)
})

test('a page of projects with plans, deploys and grace periods takes no statements per project', async ({
  skip,
}) => {
  if (!app.tools.database.pool) return skip('PostgreSQL is not installed')
  for (let i = 0; i < 10; i++) await app.makeProject()
  const page = (first: number) =>
    sendGraphql(
      app.url,
      operatorKey,
      `{ projects(first: ${first}) { nodes { slug plan { name } currentDeploy { id } domainGraceEndsAt } } }`,
    )
  const tables = ['projects', 'plans', 'deploys']
  await page(1)

  const one = await countStatements(tables, () => page(1))

  // Allow a few more statements, because the service sometimes checks domains on its own. One statement per project
  // would be twenty more.
  expect(await countStatements(tables, () => page(10))).toBeLessThan(one + 5)
})

/** Lists with four levels of fields. More levels would cost more than a request may. */
const deep: Record<string, number> = {
  pets: 4,
  categories: 4,
  orders: 4,
  apiKeys: 4,
  domains: 4,
  deploys: 5,
  project: 1,
}
const ofStores = rootFields.filter(name => name !== 'projects' && name !== 'operators')

let furnished: TestProject
let named: ReturnType<typeof firstOf>
beforeAll(async () => {
  furnished = await app.makeProject({ plan: 'enterprise', perMinute: 1_000_000, perDay: 1_000_000 })
  named = firstOf(await makeFiveOfEach(app, furnished))
  await app.tools.db.pet.createMany({
    data: Array.from({ length: 9 }, (_, n) => ({
      ...{ projectId: furnished.project.id, name: `More ${n}`, categoryId: BigInt(n) },
    })),
  })
  for (let n = 0; n < 4; n++) await makeFiveOfEach(app, await app.makeProject({ plan: 'pro' }))
})

/**
 * Returns the lowest of several counts, because the service sometimes reads its own tables. Stops at the first count
 * that is `expected`.
 */
async function leastOf(count: (n: number) => Promise<number>, expected?: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < 6 && least !== expected; n++) least = Math.min(least, await count(n))
  return least
}

test.each(ofStores.map(name => [name, deep[name] ?? 2] as const))(
  'the root field %s takes no more statements for five items than for two, with all fields of all levels',
  async (list, levels) => {
    const project = furnished
    // Only an owner sees all fields of a project.
    const owner = ['project', 'viewer'].includes(list)
      ? await signedIn(app.tools, app.url, project.project, 'owner')
      : null
    const send = owner
      ? (query: string) => owner.token(project.project.slug).then(token => sendGraphql(app.url, token, query))
      : graphqlOf(app, project)
    const countOf = (first: number, expected?: number) =>
      leastOf(async n => {
        const watch = watchStatements()
        const answer = await send(`${everything(list, first, levels)} #${first} ${n}`).finally(watch.stop)
        expect(answer.errors).toEqual([])
        return watch.about(...tables)
      }, expected)

    const few = await countOf(2)

    if (list in deep) expect(few).toBeGreaterThan(0)
    expect(few).toBeLessThanOrEqual(19)
    expect(await countOf(5, few)).toBe(few)
  },
)

test.each(fieldsOfProjects)(
  'the field %s of a page of projects takes no more statements for five projects than for two',
  async name => {
    const countOf = (first: number, expected?: number) =>
      leastOf(async n => {
        const query = `${ofEachProject(name, first)} #${n}`
        const watch = watchStatements()
        const answer = await sendGraphql(app.url, operatorKey, query).finally(watch.stop)
        expect(answer.errors).toEqual([])
        return watch.ofRequests()
      }, expected)

    const few = await countOf(2)

    expect(few).toBeLessThanOrEqual(12)
    expect(await countOf(5, few)).toBe(few)
    for (const first of [2, 5])
      expect(few * units.statement).toBeLessThanOrEqual(unitsOf(ofEachProject(name, first)))
  },
)

test.each(requiring)('the root field %s is charged for each statement that it makes', async name => {
  const send = graphqlOf(app, furnished)
  for (const query of withArguments(name, named)) {
    await send(query)
    const most = Math.floor(unitsOf(query) / units.statement)
    await expect
      .poll(async () => {
        const watch = watchStatements()
        const answer = await send(`${query} #${randomUUID()}`).finally(watch.stop)
        expect(answer.errors).toEqual([])
        return watch.ofRequests()
      })
      .toBeLessThanOrEqual(most)
  }
})
