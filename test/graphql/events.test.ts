import { afterAll, beforeAll, expect, test } from 'vitest'
import { numberAll } from '../support/events.ts'
import { fill } from '../support/fill.ts'
import { codesOf, graphqlOf } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
let send: ReturnType<typeof graphqlOf>
beforeAll(async () => {
  app = await startApp()
  store = await app.makeProject()
  send = graphqlOf(app, store)
})
afterAll(() => app.stop())

const fields = 'id number type timestamp subject data previous'

test('an event has the same content over GraphQL and REST, and a number beyond 2^53 in the event keeps all its digits', async () => {
  const categoryId = 9007199254740993n
  const { id } = (await store.post('/v1/pets', `{"name":"Exact","categoryId":${categoryId}}`)).json as {
    id: number
  }
  await store.patch(`/v1/pets/${id}`, { status: 'sold' })
  await numberAll(app.tools)

  const { data, text } = await send(`{ events(subject: "pet:${id}") { nodes { ${fields} } } }`)
  const rest = await store.get(`/v1/events?subject=pet:${id}`)

  expect(data.events.nodes).toEqual(
    (rest.json as { number: number; previous?: object }[]).map(event => ({
      ...{ ...event, number: String(event.number), previous: event.previous ?? null },
    })),
  )
  expect(text.split(`"categoryId":${categoryId}`)).toHaveLength(3)
  const one = data.events.nodes[1]
  expect((await send(`{ event(id: "${one.id}") { ${fields} } }`)).data.event).toEqual(one)
})

test('a filtered page of events has cursors that lead past the skipped events, forward and backward', async () => {
  const other = await app.makeProject()
  const { db } = app.tools
  // Insert the events with their numbers, because the service would need seconds on a busy machine to number 20,000
  // events.
  await fill(
    app.tools,
    `INSERT INTO events (project_id, era, number, at, is_management, type, subject, data)
     SELECT ${other.project.id}, (SELECT era FROM event_era), n, now(), false,
       CASE WHEN n IN (1, 20102) THEN 'pet.deleted' ELSE 'pet.created' END, 'pet:' || n, '{}'
     FROM generate_series(1, 20102) AS n`,
  )
  const log = { projectId: other.project.id, last: 20_102n }
  await db.eventNumber.upsert({ where: { projectId: log.projectId }, create: log, update: log })
  const ask = async (args: string) => {
    const query = `{ events(types: ["pet.deleted"] ${args}) { nodes { number } pageInfo { hasNextPage hasPreviousPage endCursor startCursor } } }`
    return (await graphqlOf(app, other)(query)).data.events
  }

  const first = await ask('first: 10')
  const second = await ask(`first: 10 after: "${first.pageInfo.endCursor}"`)
  const last = await ask('last: 10')
  const before = await ask(`last: 10 before: "${last.pageInfo.startCursor}"`)

  const shown = [first, second, last, before].map(({ nodes }) =>
    nodes.map(({ number }: { number: string }) => number),
  )
  expect(shown).toEqual([['1'], ['20102'], ['20102'], ['1']])
  expect([first, second].map(({ pageInfo }) => pageInfo.hasNextPage)).toEqual([true, false])
  expect([last, before].map(({ pageInfo }) => pageInfo.hasPreviousPage)).toEqual([true, false])
})

test('a short list of events is the same whether it is read from the beginning or from the end', async () => {
  const other = await app.makeProject()
  const ask = graphqlOf(app, other)
  await other.post('/v1/pets', { name: 'Max', categoryId: 1 })
  const rename = `mutation { apiKeyRename(input: { id: "key_${other.keyId}", name: "Shop" }) { apiKey { id } } }`
  expect((await ask(rename)).errors).toEqual([])
  await numberAll(app.tools)
  const all = async (args: string) =>
    (await ask(`{ events(${args}) { nodes { id type } } }`)).data.events.nodes
  const audit = 'types: ["api_key.changed"]'

  expect(await all('first: 50')).toMatchObject([{ type: 'pet.created' }, { type: 'api_key.changed' }])
  expect(await all('last: 50')).toEqual(await all('first: 50'))
  expect(await all(`first: 50 ${audit}`)).toMatchObject([{ type: 'api_key.changed' }])
  expect(await all(`last: 50 ${audit}`)).toEqual(await all(`first: 50 ${audit}`))
})

test.each([
  ['events(types: ["pet.sold"])', 'types'],
  ['events(types: [])', 'types'],
  ['events(subject: "12")', 'subject'],
  ['events(first: 101)', 'first'],
])('%s is rejected, and the error names its argument %s', async (list, field) => {
  const { errors } = await send(`{ ${list} { nodes { id } } }`)

  expect(errors).toMatchObject([{ extensions: { code: 'invalid_input', details: [{ field }] } }])
})

test('a cursor at an event that was deleted is refused as event_expired, forward and backward', async () => {
  for (const args of ['after: "00000001-5"', 'last: 1 before: "00000001-5"'])
    expect(codesOf(await send(`{ events(${args}) { nodes { id } } }`))).toEqual(['event_expired'])
  expect(codesOf(await send('{ event(id: "x") { id } }'))).toEqual(['event_not_found'])
})
