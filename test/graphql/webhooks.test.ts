import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { numberAll } from '../support/events.ts'
import { codesOf, graphqlOf } from '../support/graphql.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { standIn } from '../support/stand-in.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
let receiver: Receiver
let send: ReturnType<typeof graphqlOf>
beforeAll(async () => {
  app = await startApp({ env: { DATABASE_URL: '' } })
  store = await app.makeProject()
  receiver = await startReceiver()
  send = graphqlOf(app, store)
})
afterAll(async () => {
  await app.stop()
  await receiver.stop()
})

const shown = 'id url description types enabled delivered disabledWhy'

async function create(input: object) {
  const mutation = `mutation($input: WebhookCreateInput!) { webhookCreate(input: $input) { webhook { ${shown} } secret } }`
  const { data, errors } = await send(mutation, { variables: { input } })
  expect(errors).toEqual([])
  const { webhook, secret } = data.webhookCreate
  onTestFinished(async () => {
    await send(`mutation { webhookDelete(input: { id: "${webhook.id}" }) { deletedId } }`)
  })
  return { ...webhook, secret } as { id: string; url: string; delivered: string; secret: string }
}

test('a webhook endpoint that is created over GraphQL receives a signed event, and its attempts are listed', async () => {
  const { id, secret } = await create({ url: receiver.url, types: ['pet.created'] })
  await store.post('/v1/pets', { name: 'Biscuit', categoryId: 7 })
  await expect.poll(() => receiver.received.length).toBe(1)
  const [received] = receiver.received

  const event = new Webhook(secret).verify(
    received?.body ?? '',
    received?.headers as Record<string, string>,
  ) as { number: number }

  const attempts = `{ webhook(id: "${id}") { deliveries { nodes { id event type status answer problem } } } }`
  const listed = async () => (await send(attempts)).data.webhook.deliveries.nodes
  await expect
    .poll(listed)
    .toMatchObject([{ event: String(event.number), type: 'pet.created', status: 204, problem: null }])
  const again = `mutation { webhookRedeliver(input: { id: "${id}", event: "${event.number}" }) { webhook { id } } }`
  expect((await send(again)).data.webhookRedeliver).toEqual({ webhook: { id } })
  await expect.poll(() => receiver.received.length).toBe(2)
  const rewind = `mutation { webhookRewind(input: { id: "${id}", after: "0" }) { webhook { id } } }`
  expect((await send(rewind)).data.webhookRewind).toEqual({ webhook: { id } })
  await expect.poll(() => receiver.received.length).toBe(3)
  const since = `mutation { webhookRewind(input: { id: "${id}", since: "2026-01-01T00:00:00+02:00" }) { webhook { id } } }`
  expect((await send(since)).data.webhookRewind).toEqual({ webhook: { id } })
  await expect.poll(() => receiver.received.length).toBe(4)
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})

test('a webhook endpoint can be changed, tested, given a new secret and deleted over GraphQL', async () => {
  const { id, secret } = await create({ url: receiver.url, description: 'Shop', enabled: false })
  const change = async (input: object) => {
    const query = `mutation($input: WebhookUpdateInput!) { webhookUpdate(input: $input) { webhook { ${shown} } } }`
    return (await send(query, { variables: { input: { id, ...input } } })).data.webhookUpdate.webhook
  }

  const changed = await change({ types: ['pet.deleted'], url: null })
  const cleared = await change({ description: null })
  const tested = await send(
    `mutation { webhookTest(input: { id: "${id}" }) { status ms answer problem } webhookRotateSecret(input: { id: "${id}" }) { secret webhook { previousSecretEndsAt } } }`,
  )
  const all = await send('{ webhooks { nodes { id } } }')
  const deleted = await send(`mutation { webhookDelete(input: { id: "${id}" }) { deletedId } }`)

  expect(changed).toMatchObject({ url: receiver.url, description: 'Shop', types: ['pet.deleted'] })
  expect(cleared).toMatchObject({ description: null, enabled: false })
  expect(tested.data.webhookTest).toMatchObject({ status: 204, answer: '', problem: null })
  expect(tested.data.webhookRotateSecret.secret).toMatch(/^whsec_/)
  expect(tested.data.webhookRotateSecret.secret).not.toBe(secret)
  expect(tested.data.webhookRotateSecret.webhook.previousSecretEndsAt).not.toBeNull()
  expect(tested.headers['cache-control']).toBe('no-store')
  expect(all.data.webhooks.nodes).toContainEqual({ id })
  expect(deleted.data.webhookDelete).toEqual({ deletedId: id })
  expect(codesOf(await send(`{ webhook(id: "${id}") { id } }`))).toEqual(['endpoint_not_found'])
})

test('a wrong input of a webhook mutation is rejected with the path of the faulty field', async () => {
  const { id } = await create({ url: receiver.url, enabled: false })
  await numberAll(app.tools)
  const faults: [string, string][] = [
    ['webhookCreate(input: { url: "ftp://shop.example" }) { secret }', 'input.url'],
    ['webhookCreate(input: { url: "https://shop.example", types: ["x.y"] }) { secret }', 'input.types'],
    [`webhookUpdate(input: { id: "${id}" }) { webhook { id } }`, 'input'],
    [`webhookRedeliver(input: { id: "${id}", event: "999" }) { webhook { id } }`, 'input.event'],
    [`webhookRedeliver(input: { id: "${id}", event: "x" }) { webhook { id } }`, 'input.event'],
    [`webhookRewind(input: { id: "${id}", after: "99999" }) { webhook { id } }`, 'input.after'],
    [`webhookRewind(input: { id: "${id}" }) { webhook { id } }`, 'input.after'],
    [
      `webhookRewind(input: { id: "${id}", since: "2999-01-01T00:00:00Z" }) { webhook { id } }`,
      'input.since',
    ],
  ]
  for (const [mutation, field] of faults) {
    const { errors } = await send(`mutation { ${mutation} }`)
    expect([mutation, errors[0]?.extensions.details?.[0]?.field]).toEqual([mutation, field])
  }
})

test.each(['REST', 'GraphQL'])(
  'the response time of a webhook test over %s leaves out the wait for the endpoint',
  async door => {
    let heldMs = 0
    const url = await standIn((_, response) => {
      const arrivedAt = performance.now()
      setTimeout(() => {
        heldMs = performance.now() - arrivedAt
        response.end()
      }, 500)
    })
    const { id } = await create({ url, enabled: false })
    const count = vi.spyOn(app.tools.metrics, 'countAnswer')
    onTestFinished(() => count.mockRestore())
    const askedAt = performance.now()
    const counted = new Promise<{ seconds: number; tookMs: number }>(resolve => {
      count.mockImplementation((_method, _route, _status, seconds) => {
        // The answer to the creation may be counted only now.
        if (heldMs > 0) resolve({ seconds, tookMs: performance.now() - askedAt })
      })
    })

    if (door === 'REST') await store.post(`/v1/webhooks/${id.replace('webhook_', '')}/test`, undefined)
    else await send(`mutation { webhookTest(input: { id: "${id}" }) { status } }`)

    const { seconds, tookMs } = await counted
    expect(heldMs).toBeGreaterThan(0)
    expect(seconds * 1_000).toBeLessThanOrEqual(tookMs - heldMs)
  },
)
