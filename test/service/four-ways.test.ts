import { afterAll, beforeAll, expect, test } from 'vitest'
import { AnimalStore } from '../../clients/typescript/src/index.ts'
import { numberAll } from '../support/events.ts'
import { graphqlOf } from '../support/graphql.ts'
import { startReceiver } from '../support/receiver.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
beforeAll(async () => {
  // The service allows webhooks to this machine only with the embedded database.
  app = await startApp({ env: { DATABASE_URL: '' } })
  store = await app.makeProject({ plan: 'business' })
})
afterAll(() => app.stop())

const last = 'Last of all'

/** Reads event ids from a subscription until the event of the last pet arrives. */
async function subscribe(after: string): Promise<string[]> {
  const answer = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${store.secret}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query: `subscription { events(after: "${after}") { id data } }` }),
  })
  let text = ''
  for await (const bytes of answer.body ?? []) {
    text += Buffer.from(bytes)
    if (text.includes(last)) break
  }
  return [...text.matchAll(/"events":\{"id":"([^"]+)"/g)].map(([, id = '']) => id)
}

test('list, stream, subscription and webhook show the same events in the same order without gaps', async () => {
  const client = new AnimalStore({ url: app.url, key: store.secret })
  const receiver = await startReceiver()
  await store.post('/v1/pets', { name: 'First', categoryId: 1 })
  await store.post('/v1/webhooks', { url: receiver.url })
  await numberAll(app.tools)
  const before: string[] = []
  for await (const { id } of client.events.list()) before.push(id)
  const after = before.at(-1) ?? ''
  const streamed: string[] = []
  const following = (async () => {
    for await (const event of client.events.follow({ after })) {
      streamed.push(event.id)
      if ('name' in event.data && event.data.name === last) return
    }
  })()
  const subscribed = subscribe(after)
  const send = graphqlOf(app, store)
  const doors = [
    (n: number) => store.post('/v1/pets', { name: `Rest ${n}`, categoryId: 1 }),
    (n: number) =>
      send(`mutation { petCreate(input: { name: "Graph ${n}", categoryId: 1 }) { pet { id } } }`),
    (n: number) =>
      send(`mutation { apiKeyIssue(input: { name: "Key ${n}", scopes: [pets_read] }) { secret } }`),
    (n: number) =>
      app.tools.db.$executeRaw`UPDATE pets SET name = ${`Sql ${n}`} WHERE project_id = ${store.project.id}`,
  ]
  for (let n = 0; n < 24; n += 2)
    await Promise.all([n, n + 1].map(n => doors[Math.floor(Math.random() * doors.length)]?.(n)))
  await store.post('/v1/pets', { name: last, categoryId: 1 })

  await following
  const listed: string[] = []
  for await (const { id } of client.events.list({ after })) listed.push(id)
  await expect.poll(() => receiver.received.at(-1)?.event.id, { timeout: 20_000 }).toBe(listed.at(-1))
  const delivered = [...new Set(receiver.received.map(({ event }) => event.id))].filter(
    id => !before.includes(id),
  )
  await receiver.stop()

  expect(listed.length).toBeGreaterThan(12)
  expect(streamed).toEqual(listed)
  expect(await subscribed).toEqual(listed)
  expect(delivered).toEqual(listed)
  const numbers = listed.map(id => Number(id.split('-')[1]))
  expect(numbers).toEqual(numbers.map((_, i) => (numbers[0] ?? 0) + i))
}, 60_000)
