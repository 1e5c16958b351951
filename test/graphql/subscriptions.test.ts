import { createClient } from 'graphql-sse'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sendGraphql } from '../support/graphql.ts'
import { readStream } from '../support/read-stream.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-of-the-tests-0123456789abcdef'
let app: App
let store: TestProject
beforeAll(async () => {
  app = await startApp({ env: { DRAIN_SECONDS: '1', OPERATOR_KEY: operatorKey } })
})
afterAll(() => app.stop())

const query =
  'subscription($after: String, $types: [String!]) { events(after: $after, types: $types) { id number type data previous } }'
const add = (name: string) => store.post('/v1/pets', { name, categoryId: 7 })
const multipart =
  'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/graphql-response+json,application/json;q=0.9'

/** Opens a subscription and collects what comes, as text. */
async function open(variables: object = {}, headers: Record<string, string> = {}, text = query) {
  const gone = new AbortController()
  onTestFinished(() => gone.abort())
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    signal: gone.signal,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      authorization: `Bearer ${store.secret}`,
      ...headers,
    },
    body: JSON.stringify({ query: text, variables }),
  })
  let came = ''
  const ended = (async () => {
    for await (const part of response.body ?? []) came += new TextDecoder().decode(part)
  })().catch(() => {})
  const results = () =>
    [...came.matchAll(/^event: next\ndata: (.+)$/gm)].map(([, json = '']) => JSON.parse(json))
  return { response, text: () => came, ended, results, close: () => gone.abort() }
}

test('a subscription sends each event as the stream of REST does', async () => {
  store = await app.makeProject()
  await add('Before')
  const stored = async () => (await store.get('/v1/events')).json as { id: string }[]
  await expect.poll(async () => (await stored()).length).toBe(1)
  const after = (await stored())[0]?.id ?? ''
  const rest = await readStream(`${app.url}/v1/events?after=${after}`, {
    authorization: `Bearer ${store.secret}`,
  })
  onTestFinished(() => rest.close())
  const subscription = await open({ after })
  const { id } = (await add('Luna')).json as { id: number }
  await store.patch(`/v1/pets/${id}`, { status: 'sold' })
  await store.delete(`/v1/pets/${id}`)

  await expect.poll(() => subscription.results().length).toBe(3)
  await expect.poll(() => rest.events.length).toBe(3)

  expect(subscription.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(subscription.response.headers.get('cache-control')).toBe('no-store')
  expect(subscription.response.headers.get('x-ratelimit-limit')).not.toBeNull()
  expect(subscription.results().map(({ data }) => data.events)).toEqual(
    rest.events.map(({ data }) => {
      const { id, number, type, data: pet, previous = null } = data as Record<string, unknown>
      return { id, number: String(number), type, data: pet, previous }
    }),
  )
})

test("a subscription over Apollo's multipart protocol sends each event as one part, followed by the next boundary", async () => {
  store = await app.makeProject()
  const { response, text } = await open({ types: ['pet.deleted'] }, { accept: multipart })
  const { id } = (await add('Luna')).json as { id: number }
  await store.delete(`/v1/pets/${id}`)

  await expect.poll(text).toContain('pet.deleted')

  expect(response.headers.get('content-type')).toBe('multipart/mixed;boundary=graphql;subscriptionSpec=1.0')
  expect(text()).toMatch(
    /^\r\n--graphql\r\ncontent-type: application\/json\r\n\r\n\{"payload":\{"data":\{"events":\{.+"pet\.deleted".+\}\}\}\}\r\n--graphql$/,
  )
})

test('a subscription is refused before it begins, with the status and the code', async () => {
  store = await app.makeProject()
  const weak = await store.issueKey(['pets:read'])
  const refusals = [
    await open({ after: '00000001-5' }),
    await open({ types: ['pet.sold'] }),
    await open({ types: 5 }),
    await open({}, { authorization: `Bearer ${weak.secret}` }),
    await open({}, { authorization: `Bearer ${operatorKey}` }),
    await open({}, { authorization: 'Bearer as_x' }),
    await open({}, { accept: 'application/json' }),
    await open({}, {}, 'subscription { nothing }'),
    await open({ after: '00000001-5' }, { accept: multipart }),
  ]
  await Promise.all(refusals.map(({ ended }) => ended))

  expect(
    refusals.map(({ response, text }) => [response.status, JSON.parse(text()).errors[0].extensions.code]),
  ).toEqual([
    [410, 'event_expired'],
    [400, 'invalid_input'],
    [400, 'invalid_input'],
    [403, 'insufficient_scope'],
    [403, 'insufficient_scope'],
    [401, 'unauthorized'],
    [406, 'not_acceptable'],
    [400, 'malformed_request'],
    [410, 'event_expired'],
  ])
})

test('when its key is revoked, a subscription ends with the event complete', async () => {
  store = await app.makeProject()
  const { text, ended } = await open()
  await app.tools.db.apiKey.update({ where: { id: store.keyId }, data: { revokedAt: new Date() } })

  await ended

  expect(text().endsWith('event: complete\ndata:\n\n')).toBe(true)
})

test('streams of REST and subscriptions share the stream limit of a key, and a closed subscription makes room for another stream', async () => {
  store = await app.makeProject({ plan: 'free', perMinute: 60 })
  const rest = await Promise.all(
    Array.from({ length: 3 }, () =>
      readStream(`${app.url}/v1/events`, { authorization: `Bearer ${store.secret}` }),
    ),
  )
  onTestFinished(() => {
    for (const stream of rest) stream.close()
  })
  const subscriptions = await Promise.all([open(), open()])

  const refused = await open()
  subscriptions[0]?.close()

  expect(refused.response.status).toBe(429)
  expect(refused.response.headers.get('retry-after')).toBe('10')
  await expect.poll(async () => (await open()).response.status).toBe(200)
})

test('a subscription costs one request, and X-Explain-Cost reports this cost', async () => {
  store = await app.makeProject()
  const explained = await sendGraphql(app.url, store.secret, 'subscription { events { id } }', {
    headers: { 'x-explain-cost': 'only' },
  })
  const remaining = async () => Number((await store.get('/v1/rate-limit')).headers['x-ratelimit-remaining'])
  const before = await remaining()
  await open()

  expect(before - (await remaining())).toBe(1)
  expect(explained.extensions.cost).toMatchObject({ storeRequests: 1, managementRequests: 0 })
})

test('a client of graphql-sse also gets the answer of a query', async () => {
  store = await app.makeProject()
  const client = createClient({
    url: `${app.url}/graphql`,
    headers: { authorization: `Bearer ${store.secret}` },
    retryAttempts: 0,
  })

  const results = []
  for await (const result of client.iterate({ query: '{ inventory { total } }' })) results.push(result)

  expect(results).toEqual([{ data: { inventory: { total: 0 } } }])
})

test("a client that accepts only Apollo's multipart stream gets the answer of a query in this form", async () => {
  store = await app.makeProject()

  const accept = 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0'
  const { response, text, ended } = await open({}, { accept }, '{ inventory { total } }')
  await ended

  expect(response.headers.get('content-type')).toBe(accept)
  const result = '{"payload":{"data":{"inventory":{"total":0}}}}'
  expect(text()).toBe(`\r\n--graphql\r\ncontent-type: application/json\r\n\r\n${result}\r\n--graphql--\r\n`)
})

test('a subscription whose client refuses event streams gets a 406', async () => {
  store = await app.makeProject()

  const { response, text, ended } = await open({}, { accept: 'application/json, text/event-stream;q=0' })

  expect(response.status).toBe(406)
  await ended
  expect(JSON.parse(text())).toMatchObject({ errors: [{ extensions: { code: 'not_acceptable' } }] })
})

test('a subscription ends when the service stops', async () => {
  const own = await startApp({ env: { DRAIN_SECONDS: '1' } })
  const project = await own.makeProject()
  const response = await fetch(`${own.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      authorization: `Bearer ${project.secret}`,
    },
    body: JSON.stringify({ query }),
  })

  const [text] = await Promise.all([response.text(), own.stop()])

  expect(text.endsWith('event: complete\ndata:\n\n')).toBe(true)
})
