import { afterAll, beforeAll, expect, it } from 'vitest'
import { graphqlOf } from '../support/graphql.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app?.stop())

it('a 503 costs nothing over REST and GraphQL, and every other answer costs its price', async () => {
  const store = await app.makeProject()
  const graphql = graphqlOf(app, store)
  const sql = (text: string) => app.tools.db.$executeRawUnsafe(text)
  const budget = '{ rateLimit { minute { remaining } day { remaining } } }'
  const read = async () => (await graphql(budget)).data?.rateLimit
  const add = { query: 'mutation { createPet(input: { name: "Rex", categoryId: "1" }) { id } }' }
  await sql(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'not now' USING ERRCODE = '53100'; END $$`)
  await sql('CREATE TRIGGER refuse BEFORE INSERT ON pets EXECUTE FUNCTION refuse()')
  const before = await read()

  const failed = [
    await store.post('/v1/pets', { name: 'Rex', categoryId: 1 }),
    await store.post('/graphql', add),
  ]

  expect(failed).toMatchObject([
    { json: { status: 503 } },
    { json: { data: { createPet: null }, errors: [{ extensions: { status: 503 } }] } },
  ])
  await expect.poll(read).toEqual(before)
  await store.post('/v1/pets', { name: '' })
  await store.get('/v1/pets/9223372036854775807')
  expect(await read()).toEqual({
    minute: { remaining: before.minute.remaining - 2 },
    day: { remaining: before.day.remaining - 2 },
  })
})
