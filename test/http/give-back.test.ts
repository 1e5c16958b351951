import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { graphqlOf } from '../support/graphql.ts'
import { openRawConnection } from '../support/raw-connection.ts'
import { type App, startApp } from '../support/start-app.ts'
import { readUse } from '../support/use.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app?.stop())

it('a request that fails with a 503 costs nothing over REST and GraphQL, but a served request or a client error is charged', async () => {
  const store = await app.makeProject()
  const graphql = graphqlOf(app, store)
  const sql = (text: string) => app.tools.db.$executeRawUnsafe(text)
  const budget = '{ rateLimit { minute { remaining } day { remaining } } }'
  const use = () => readUse(app, store)
  const read = async () => (await graphql(budget)).data?.rateLimit
  const add = { query: 'mutation { createPet(input: { name: "Rex", categoryId: "1" }) { id } }' }
  await sql(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'not now' USING ERRCODE = '53100'; END $$`)
  await sql('CREATE TRIGGER refuse BEFORE INSERT ON pets EXECUTE FUNCTION refuse()')
  onTestFinished(async () => void (await sql('DROP TRIGGER refuse ON pets')))
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
  await store.get('/v1/pets')
  await store.post('/v1/pets', { name: '' })
  await store.get('/v1/pets/9223372036854775807')
  expect(await read()).toEqual({
    minute: { remaining: before.minute.remaining - 3 },
    day: { remaining: before.day.remaining - 3 },
  })
  await expect.poll(use).toEqual({ served: 1, faulty: 2, failed: 2, refusals: 0 })
})

it('of the requests whose statement PostgreSQL stopped, ten a minute are refunded, over all doors together', async () => {
  const store = await app.makeProject()
  const graphql = graphqlOf(app, store)
  const sql = (text: string) => app.tools.db.$executeRawUnsafe(text)
  await sql(`CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'too long' USING ERRCODE = '57014'; END $$`)
  await sql('CREATE TRIGGER stop BEFORE INSERT ON pets EXECUTE FUNCTION stop()')
  onTestFinished(async () => void (await sql('DROP TRIGGER stop ON pets')))
  const left = async () =>
    (await graphql('{ rateLimit { minute { remaining } } }')).data?.rateLimit.minute.remaining
  const add = { query: 'mutation { createPet(input: { name: "Rex", categoryId: "1" }) { id } }' }
  const tool = {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'add_pet', arguments: { name: 'Rex', categoryId: '1' } },
  }
  const before = await left()

  for (let n = 0; n < 8; n++)
    expect(await store.post('/v1/pets', { name: 'Rex', categoryId: 1 })).toMatchObject({ status: 503 })
  await expect.poll(left).toBe(before)
  for (let n = 0; n < 2; n++) await store.post('/graphql', add)
  await expect.poll(left).toBe(before)
  const accept = { accept: 'application/json, text/event-stream' }
  expect(await store.post('/mcp', tool, accept)).toMatchObject({ json: { result: { isError: true } } })
  await store.post('/graphql', add)
  await store.post('/v1/pets', { name: 'Rex', categoryId: 1 })

  await expect.poll(left).toBe(before - 3)
})

it('an import that its client ends in the middle is charged and counted in the usage as faulty', async () => {
  const store = await app.makeProject()
  const { socket } = await openRawConnection(app.url)
  const head = ['POST /v1/pets/import HTTP/1.1', 'host: localhost', `authorization: Bearer ${store.secret}`]
  const ofBody = ['content-type: application/x-ndjson', 'content-length: 1000']

  socket.write([...head, ...ofBody, '', '{"name":"Rex"'].join('\r\n'))
  await expect.poll(() => app.tools.metrics.requests.inFlight).toBe(1)
  socket.destroy()

  await expect.poll(() => readUse(app, store)).toEqual({ served: 0, faulty: 1, failed: 0, refusals: 0 })
})
