import { afterAll, beforeAll, expect, test } from 'vitest'
import { graphqlOf } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
beforeAll(async () => {
  app = await startApp()
  store = await app.makeProject({ plan: 'business' })
  const other = await app.makeProject()
  for (const of of [store, other])
    await app.tools.db.pet.createMany({
      data: Array.from({ length: 30 }, (_, n) => ({
        projectId: of.project.id,
        name: `Pet ${n}`,
        categoryId: BigInt(n % 3),
        status: n < 7 ? ('sold' as const) : null,
      })),
    })
})
afterAll(() => app.stop())

const countOf = async (args: string, within = (list: string) => list) => {
  const list = `list: pets${args && `(${args})`} { totalCount nodes { id } }`
  const { data } = await graphqlOf(app, store)(`{ ${within(list)} }`)
  return (data.project ?? data).list.totalCount
}

test.each([
  ['', 30],
  ['first: 2', 30],
  ['sort: newest_first', 30],
  ['status: sold', 7],
  ['status: available', 0],
  ['categoryId: 1, first: 1', 10],
  ['categoryId: 99', 0],
  ['status: sold, categoryId: 1', null],
  ['name: "Pet 1"', null],
  ['name: "Pet 1", status: sold', null],
])('totalCount of pets with the arguments %j is %s', async (args, count) => {
  expect(await countOf(args)).toBe(count)
  expect(await countOf(args, list => `project { ${list} }`)).toBe(count)
})

test('totalCount on any page follows every change at once, though pages are cached', async () => {
  const page = () => countOf('first: 1')
  expect([await page(), await page()]).toEqual([30, 30])

  const made = (await store.post('/v1/pets', { name: 'New', categoryId: 1 })).json as { id: number }
  expect([await page(), await page()]).toEqual([31, 31])
  await store.delete(`/v1/pets/${made.id}`)
  expect([await page(), await page()]).toEqual([30, 30])
})
