import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyWebhook } from '../../clients/typescript/src/verify-webhook.ts'
import type { Answer } from '../support/ask.ts'
import { sendGraphql } from '../support/graphql.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { standIn } from '../support/stand-in.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const scopes = ['pets:read', 'pets:write', 'webhooks:write'] as const
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  return () => receiver.stop()
})

const read = <Body = Shown>({ json }: Answer) => json as Body
type Shown = { id: string; secret: string; url: string; delivered: number; enabled: boolean }
type Attempt = { id: number; event: number; type: string; status: number; answer: string }

describe('webhooks on the embedded database', () => {
  let app: App
  let store: TestProject
  beforeAll(async () => {
    app = await startApp({ env: { DATABASE_URL: '' } })
    store = await app.makeProject({ scopes })
    return () => app.stop()
  })

  test('a webhook endpoint receives a signed event for a new pet, and its owner sees the attempt', async () => {
    const added = read(await store.post('/v1/webhooks', { url: receiver.url, types: ['pet.created'] }))
    const pet = read<{ id: number }>(await store.post('/v1/pets', { name: 'Biscuit', categoryId: 7 }))
    await expect.poll(() => receiver.received.length).toBe(1)
    const [received] = receiver.received
    const headers = received?.headers as Record<string, string>
    const attempts = `/v1/webhooks/${added.id}/deliveries`
    await expect.poll(async () => read<Attempt[]>(await store.get(attempts)).length).toBe(1)

    const event = new Webhook(added.secret).verify(received?.body ?? '', headers)

    expect(event).toMatchObject({
      type: 'pet.created',
      subject: `pet:${pet.id}`,
      data: { name: 'Biscuit', categoryId: 7 },
    })
    expect(await verifyWebhook(received?.body ?? '', headers, added.secret)).toMatchObject({
      data: { id: BigInt(pet.id), name: 'Biscuit' },
    })
    const listed = await store.get(attempts)
    expect(read<Attempt[]>(listed)).toMatchObject([{ type: 'pet.created', status: 204, answer: '' }])
    const again = await store.get(attempts, { 'if-none-match': String(listed.headers.etag) })
    expect(again.status).toBe(304)
    expect((await store.delete(`/v1/webhooks/${added.id}`)).status).toBe(204)
  })

  test.each([
    ['another secret', { secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` }],
    ['a changed body', { body: '{}' }],
    ['no signature', { headers: {} }],
    ['a signature that is an hour old', { now: Date.now() + 3_600_000 }],
    ['an API key instead of the secret', { secret: 'as_key' }],
  ])('the typed client refuses a webhook request with %s', async (_, wrong) => {
    const added = read(await store.post('/v1/webhooks', { url: receiver.url, enabled: false }))
    await store.post(`/v1/webhooks/${added.id}/test`, undefined)
    const received = receiver.received.at(-1)
    const given = {
      body: received?.body ?? '',
      headers: received?.headers ?? {},
      secret: added.secret,
      now: Date.now(),
      ...wrong,
    }
    await store.delete(`/v1/webhooks/${added.id}`)

    const verifying = verifyWebhook(given.body, given.headers, given.secret, { now: given.now })

    await expect(verifying).rejects.toMatchObject({ name: 'StoreError', code: 'invalid_signature' })
  })

  test('the result of a test shows a NUL of the answer as U+FFFD, as the list of deliveries does', async () => {
    const odd = await standIn((_, response) => void response.end('a\0b'))
    const { id } = read(await store.post('/v1/webhooks', { url: odd }))

    const tested = await store.post(`/v1/webhooks/${id}/test`, undefined)

    expect(tested.json).toMatchObject({ status: 200, answer: 'a\ufffdb' })
  })

  test('a webhook endpoint can be tested, get a new secret, get one event again, and be rewound to get all later events again', async () => {
    const added = read(await store.post('/v1/webhooks', { url: receiver.url, types: ['pet.created'] }))
    const path = `/v1/webhooks/${added.id}`
    receiver.received.length = 0
    await store.post('/v1/pets', { name: 'Nimbus', categoryId: 7 })
    await expect.poll(() => receiver.received.length).toBe(1)
    const number = (JSON.parse(receiver.received[0]?.body ?? '') as { number: number }).number

    const tested = await store.post(`${path}/test`, undefined)
    const rotated = await store.post(`${path}/rotate-secret`, undefined)
    const again = await store.post(`${path}/redeliver`, { event: number })
    await expect.poll(() => receiver.received.length).toBe(3)
    const rewound = await store.post(`${path}/rewind`, { after: number - 1 })
    await expect.poll(() => receiver.received.length).toBe(4)
    const { timestamp } = JSON.parse(receiver.received[0]?.body ?? '') as { timestamp: string }
    const since = await store.post(`${path}/rewind`, { since: timestamp })
    await expect.poll(() => receiver.received.length).toBe(5)

    expect(tested.json).toMatchObject({ status: 204 })
    expect(read(rotated).secret).not.toBe(added.secret)
    expect(again.status).toBe(204)
    expect([rewound.status, since.status]).toEqual([200, 200])
    expect(new Set(receiver.received.map(({ event }) => event.type))).toEqual(
      new Set(['pet.created', 'webhook.test']),
    )
    await store.delete(path)
  })

  test('the number of an event can be sent as the string of its digits', async () => {
    const added = read(await store.post('/v1/webhooks', { url: receiver.url, types: ['pet.created'] }))
    const path = `/v1/webhooks/${added.id}`
    receiver.received.length = 0
    await store.post('/v1/pets', { name: 'Luna', categoryId: 7 })
    await expect.poll(() => receiver.received.length).toBe(1)
    const { number } = JSON.parse(receiver.received[0]?.body ?? '') as { number: number }
    await expect.poll(async () => read(await store.get(path)).delivered).toBe(number)

    const again = await store.post(`${path}/redeliver`, { event: String(number) })
    await expect.poll(() => receiver.received.length).toBe(2)
    const rewound = await store.post(`${path}/rewind`, { after: String(number - 1) })
    await expect.poll(() => receiver.received.length).toBe(3)
    const faulty = await Promise.all(
      ['', '+1', '01', '1.0', '1e1'].map(after => store.post(`${path}/rewind`, { after })),
    )

    expect([again.status, rewound.status]).toEqual([204, 200])
    expect(faulty.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400])
    await store.delete(path)
  })
})

describe('webhooks on PostgreSQL', () => {
  let app: App
  let store: TestProject
  let other: TestProject
  beforeAll(async () => {
    app = await startApp()
    store = await app.makeProject({ scopes })
    other = await app.makeProject({ scopes })
  })
  afterAll(() => app.stop())

  const url = 'https://93.184.216.7/hooks'
  const missing = '0199f1c2-7a3b-7c4d-9e5f-6a7b8c9d0e1f'
  const addOne = async (from = store) =>
    read(await from.post('/v1/webhooks', { url, description: 'Shop', enabled: false }))

  test('an answer with the secret of a webhook endpoint must not be stored and is not compressed', async () => {
    const body = JSON.stringify({ url: `${url}/${'a'.repeat(1_500)}`, enabled: false })
    const headers = {
      authorization: `Bearer ${store.secret}`,
      'content-type': 'application/json',
      'accept-encoding': 'br',
    }
    const send = (path: string, question: RequestInit) =>
      fetch(`${app.url}/v1/webhooks${path}`, { ...question, headers })

    const added = await send('', { method: 'POST', body })
    const path = `/${((await added.json()) as Shown).id}`
    const rotated = await send(`${path}/rotate-secret`, { method: 'POST' })
    const shown = await send(path, {})
    await send(path, { method: 'DELETE' })

    const kept = [added, rotated, shown].map(({ headers }) => [
      headers.get('cache-control'),
      headers.get('content-encoding'),
    ])
    expect(kept).toEqual([
      ['no-store', null],
      ['no-store', null],
      ['private, no-cache', 'br'],
    ])
  })

  test('a webhook endpoint is shown without its secret, changed and removed', async () => {
    const { id, secret } = await addOne()

    const listed = await store.get('/v1/webhooks')
    const changed = await store.patch(`/v1/webhooks/${id}`, {
      description: null,
      types: ['order.placed'],
      enabled: true,
    })
    const found = await store.get(`/v1/webhooks/${id}`)
    const removed = await store.delete(`/v1/webhooks/${id}`)

    expect(listed.text).not.toContain(secret)
    expect(listed.json).toMatchObject([{ id, url, description: 'Shop', types: [], enabled: false }])
    expect(changed.json).toMatchObject({ types: ['order.placed'], enabled: true })
    expect(found.json).toEqual(changed.json)
    expect(removed.status).toBe(204)
    expect((await store.get(`/v1/webhooks/${id}`)).json).toMatchObject({ code: 'endpoint_not_found' })
  })

  test('a cursor of the deliveries to one endpoint is refused for another endpoint, over REST and GraphQL', async () => {
    const [one, another] = [await addOne(), await addOne()]
    const attempt = { endpointId: one.id, eventType: 'pet.created', at: new Date(), ms: 1, answer: '' }
    await app.tools.db.webhookDelivery.createMany({
      data: [1n, 2n, 3n].map(eventNumber => ({ ...attempt, eventNumber })),
    })
    const first = await store.get(`/v1/webhooks/${one.id}/deliveries?limit=1`)
    const cursor = /cursor=([^&>]+)/.exec(String(first.headers.link))?.[1]
    const page = (id: string) =>
      `{ webhook(id: "webhook_${id}") { deliveries(first: 1, after: "${cursor}") { nodes { event } } } }`
    const ask = (id: string) => sendGraphql(app.url, store.secret, page(id))

    const next = await store.get(`/v1/webhooks/${one.id}/deliveries?limit=1&cursor=${cursor}`)
    const refused = await store.get(`/v1/webhooks/${another.id}/deliveries?cursor=${cursor}`)
    const [nextByGraphql, refusedByGraphql] = [await ask(one.id), await ask(another.id)]
    for (const { id } of [one, another]) await store.delete(`/v1/webhooks/${id}`)

    expect(next.json).toMatchObject([{ event: 2 }])
    expect(nextByGraphql.data.webhook.deliveries.nodes).toEqual([{ event: '2' }])
    const fault = (field: string) => ({ code: 'invalid_input', details: [{ field }] })
    expect(refused.json).toMatchObject(fault('cursor'))
    expect(refusedByGraphql.errors).toMatchObject([{ extensions: fault('after') }])
  })

  test.each([
    [{}, 'url'],
    [{ url: 'http://93.184.216.7/' }, 'url'],
    [{ url: 'https://127.0.0.1/' }, 'url'],
    [{ url: 'https://localhost/' }, 'url'],
    [{ url: 7 }, 'url'],
    [{ url, types: ['pet.sold'] }, 'types'],
    [{ url, types: 'pet.created' }, 'types'],
    [{ url, types: [1] }, 'types'],
    [{ url, types: [{ type: 1 }] }, 'types'],
    [{ url, enabled: 'yes' }, 'enabled'],
    [{ url, description: '' }, 'description'],
    [{ url, descripton: 'Shop' }, 'description'],
  ])('the webhook endpoint %j is refused for its %s', async (body, field) => {
    expect((await store.post('/v1/webhooks', body)).json).toMatchObject({
      code: 'invalid_input',
      details: [{ field }],
    })
  })

  test("every webhook operation treats another project's endpoint as missing", async () => {
    const { id } = await addOne(other)
    for (const webhookId of [id, missing, 'x']) {
      const path = `/v1/webhooks/${webhookId}`
      const answers = [
        await store.get(path),
        await store.patch(path, { enabled: true }),
        await store.delete(path),
        await store.post(`${path}/rotate-secret`, undefined),
        await store.post(`${path}/test`, undefined),
        await store.get(`${path}/deliveries`),
        await store.post(`${path}/redeliver`, { event: 1 }),
        await store.post(`${path}/rewind`, { after: 0 }),
      ]

      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
    }
    expect(read<Shown[]>(await other.get('/v1/webhooks'))).toHaveLength(1)
  })

  test('a project has at most twenty webhook endpoints', async () => {
    const full = await app.makeProject({ scopes })
    const added = await Promise.all(Array.from({ length: 25 }, () => full.post('/v1/webhooks', { url })))

    expect(added.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(added.find(({ status }) => status === 409)?.json).toMatchObject({ code: 'too_many_endpoints' })
  })

  test('webhook requests with a body that is too large, of another type or empty are refused', async () => {
    const { id } = await addOne()
    const large = { url, description: 'x'.repeat(70_000) }
    const paths = ['', `/${id}/redeliver`, `/${id}/rewind`].map(path => `/v1/webhooks${path}`)
    const text = { 'content-type': 'text/plain' }

    for (const path of paths) {
      expect((await store.post(path, large)).status).toBe(413)
      expect((await store.post(path, {}, text)).status).toBe(415)
      expect((await store.post(path, {})).status).toBe(400)
    }
    expect((await store.patch(`/v1/webhooks/${id}`, large)).status).toBe(413)
    expect((await store.patch(`/v1/webhooks/${id}`, {}, text)).status).toBe(415)
    expect((await store.patch(`/v1/webhooks/${id}`, {})).status).toBe(400)
    for (const event of [0, -1, 1.5, 'x', 99_999]) {
      expect((await store.post(`/v1/webhooks/${id}/redeliver`, { event })).status, String(event)).toBe(400)
    }
    const time = new Date().toISOString()
    for (const [body, field, message] of [
      [{ after: 99_999 }, 'after', 'must be the number of an event, or 0 for all that are kept'],
      [{}, 'after', 'or since must be given'],
      [{ after: 0, since: time }, 'since', 'must not be given together with after'],
      [{ since: '2999-01-01T00:00:00Z' }, 'since', 'must not be in the future'],
      [{ since: '2026-02-30T00:00:00Z' }, 'since', expect.stringContaining('must be a date and time')],
      [{ since: 5 }, 'since', expect.stringContaining('must be a date and time')],
    ]) {
      const { json, status } = await store.post(`/v1/webhooks/${id}/rewind`, body)
      expect([status, json]).toMatchObject([400, { details: [{ field, message }] }])
    }
    for (const path of ['', `/${id}`, `/${id}/deliveries`]) {
      expect((await store.get(`/v1/webhooks${path}?page=2`)).status).toBe(400)
    }
  })
})
