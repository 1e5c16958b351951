import { afterAll, beforeAll, expect, test } from 'vitest'
import { deploy } from '../../src/core/deploys/deploys.ts'
import { codesOf, graphqlOf, sendGraphql } from '../support/graphql.ts'
import { visit } from '../support/hosting.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let project: TestProject
beforeAll(async () => {
  app = await startApp({ env: { GRAPHQL_INTROSPECTION: '0' } })
  project = await app.makeProject()
})
afterAll(() => app.stop())

const create = 'mutation($input: NewPet!) { createPet(input: $input) { id } }'

test.each([
  ['{ __schema { types { name } } }', {}],
  ['{ peets { nodes { id } } }', {}],
  ['{ pets }', {}],
  ['{ pets(frst: 1) { nods { id } } }', {}],
  ['{ pets(status: solt) { nodes { id } } }', {}],
  ['query($a: PetStatu) { pets(status: $a) { nodes { ...Pett } } } fragment Pets on Pet { id }', {}],
  ['mutation { createPet(input: { nam: "x", name: "x", categoryId: 1 }) { id } }', {}],
  [create, { input: { nam: 'x', name: 'x', categoryId: 1 } }],
  [create, { input: { name: 'x', categoryId: 1, status: 'solt' } }],
])('with introspection off, %s %j is rejected without a hint at the schema', async (query, variables) => {
  const answer = await graphqlOf(app, project)(query, { variables })

  expect(answer.errors.length).toBeGreaterThan(0)
  expect(answer.errors[0]?.message).not.toBe('')
  expect(answer.text).not.toContain('Did you mean')
})

test.each(['{ __typename }', '{ __type(name: "Pet") { name } }', '{ peets }', '{', '{ pets }'])(
  'with introspection off, an anonymous request gets only a 401 for %s',
  async query => {
    const answer = await sendGraphql(app.url, null, query)

    expect(answer.status).toBe(401)
    expect(codesOf(answer)).toEqual(['unauthorized'])
  },
)

test('with introspection off, the schema cannot be downloaded', async () => {
  expect((await app.ask('/schema.graphql')).status).toBe(404)
  expect((await app.ask('/openapi.json')).status).toBe(200)
})

test('with introspection off, the reference shows only REST and has no dead links', async () => {
  await deploy(app.tools.db, app.tools.hosting, project.project, {})
  const page = await visit(`http://${project.project.slug}.animals.localhost/`, Number(new URL(app.url).port))

  const names = /id="graphql|PetConnection|issueApiKey|\/graphql</
  for (const { text } of [await app.ask('/reference'), page]) expect(text).not.toMatch(names)
  const { text } = await app.ask('/reference/all')
  expect(text).toContain('id="listPets"')
  expect(text).not.toMatch(names)
  const links = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  expect(links.filter(id => !text.includes(`id="${id}"`))).toEqual([])
  for (const path of [
    '/reference/graphql',
    '/reference/graphql-types.md',
    '/reference/search.json',
    '/llms.txt',
  ])
    expect([path, (await app.ask(path)).text]).not.toEqual([path, expect.stringMatching(names)])
})
