import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AnimalStore, type CallOptions } from '../../clients/typescript/src/index.ts'
import { contract } from '../support/contract-document.ts'

const pet = '{"id":5,"name":"Max","categoryId":9007199254740993}'
const category = '{"id":7,"name":"Dogs","petCount":2}'
const event =
  '{"id":"3f2a91bc-42","number":42,"type":"pet.updated","timestamp":"2026-12-01T09:30:00.000Z","subject":"pet:12",' +
  '"data":{"id":12,"name":"Max","categoryId":7,"status":"sold"},"previous":{"status":"available"}}'
const anEvent = {
  ...{ id: '3f2a91bc-42', number: 42n, type: 'pet.updated', timestamp: '2026-12-01T09:30:00.000Z' },
  ...{ subject: 'pet:12', data: { id: 12n, name: 'Max', categoryId: 7n, status: 'sold' } },
  previous: { status: 'available' },
}
const order = '{"id":12,"petId":5,"categoryId":7,"petName":"Max","status":"placed"}'
const [aPet, aCategory, anOrder] = [
  { id: 5n, name: 'Max', categoryId: 9_007_199_254_740_993n },
  { id: 7n, name: 'Dogs', petCount: 2 },
  { id: 12n, petId: 5n, categoryId: 7n, petName: 'Max', status: 'placed' },
]
const inventory = '{"available":1,"pending":0,"sold":0,"unset":0,"total":1}'

const webhookId = '0199f1c2-7a3b-7c4d-9e5f-6a7b8c9d0e1f'
const webhook = `{"id":"${webhookId}","url":"https://shop.test/","types":[],"enabled":true,"delivered":42}`
const aWebhook = { id: webhookId, url: 'https://shop.test/', types: [], enabled: true, delivered: 42n }

type Row = {
  call(store: AnimalStore, options: CallOptions): Promise<unknown>
  sends: [method: string, address: string, body?: string, type?: string]
  answer: string
  /** The media type of an answer that is not JSON. */
  answerType?: string
  gives: unknown
  /** Headers other than the key and the media types. */
  headers?: Record<string, string>
  /** True if the client retries the call even if it is unknown whether the store made the change. */
  isRepeated: boolean
}

const big = 9_223_372_036_854_775_807n
const json = 'application/json'
const key = { idempotencyKey: 'k 1' }
const keyed = { 'idempotency-key': '"k 1"' }

/** For each call: the request that it sends, and the part of the answer that it returns. */
const rows: Record<string, Row> = {
  listPets: {
    call: (store, options) =>
      Array.fromAsync(store.pets.list({ status: 'sold', categoryId: -big, sort: '-id' }, options)),
    sends: ['GET', '/pets?limit=100&status=sold&categoryId=-9223372036854775807&sort=-id'],
    answer: `[${pet}]`,
    gives: [aPet],
    isRepeated: true,
  },
  createPet: {
    call: (store, options) =>
      store.pets.create({ name: 'Max', categoryId: big, status: 'sold' }, { ...key, ...options }),
    sends: ['POST', '/pets', `{"name":"Max","categoryId":${big},"status":"sold"}`, json],
    answer: pet,
    gives: aPet,
    headers: keyed,
    isRepeated: true,
  },
  listWebhooks: {
    call: (store, options) => store.webhooks.list(options),
    sends: ['GET', '/webhooks'],
    answer: `[${webhook}]`,
    gives: [aWebhook],
    isRepeated: true,
  },
  addWebhook: {
    call: (store, options) => store.webhooks.add({ url: aWebhook.url, types: ['pet.created'] }, options),
    sends: ['POST', '/webhooks', '{"url":"https://shop.test/","types":["pet.created"]}', json],
    answer: webhook,
    gives: aWebhook,
    isRepeated: false,
  },
  getWebhook: {
    call: (store, options) => store.webhooks.get(webhookId, options),
    sends: ['GET', `/webhooks/${webhookId}`],
    answer: webhook,
    gives: aWebhook,
    isRepeated: true,
  },
  changeWebhook: {
    call: (store, options) => store.webhooks.change(webhookId, { enabled: true }, options),
    sends: ['PATCH', `/webhooks/${webhookId}`, '{"enabled":true}', json],
    answer: webhook,
    gives: aWebhook,
    isRepeated: false,
  },
  removeWebhook: {
    call: (store, options) => store.webhooks.remove(webhookId, options),
    sends: ['DELETE', `/webhooks/${webhookId}`],
    answer: '',
    gives: undefined,
    isRepeated: false,
  },
  rotateWebhookSecret: {
    call: (store, options) => store.webhooks.rotateSecret(webhookId, options),
    sends: ['POST', `/webhooks/${webhookId}/rotate-secret`],
    answer: webhook,
    gives: aWebhook,
    isRepeated: false,
  },
  testWebhook: {
    call: (store, options) => store.webhooks.test(webhookId, options),
    sends: ['POST', `/webhooks/${webhookId}/test`],
    answer: '{"status":204,"ms":87,"answer":""}',
    gives: { status: 204, ms: 87, answer: '' },
    isRepeated: false,
  },
  listWebhookDeliveries: {
    call: (store, options) => Array.fromAsync(store.webhooks.deliveries(webhookId, options)),
    sends: ['GET', `/webhooks/${webhookId}/deliveries?limit=100`],
    answer: `[{"id":7,"event":${big},"type":"pet.created","at":"2026-12-01T09:30:00.000Z","ms":87,"answer":""}]`,
    gives: [{ id: 7n, event: big, type: 'pet.created', at: '2026-12-01T09:30:00.000Z', ms: 87, answer: '' }],
    isRepeated: true,
  },
  redeliverWebhook: {
    call: (store, options) => store.webhooks.redeliver(webhookId, big, options),
    sends: ['POST', `/webhooks/${webhookId}/redeliver`, `{"event":${big}}`, json],
    answer: '',
    gives: undefined,
    isRepeated: false,
  },
  rewindWebhook: {
    call: (store, options) => store.webhooks.rewind(webhookId, 40n, options),
    sends: ['POST', `/webhooks/${webhookId}/rewind`, '{"after":40}', json],
    answer: webhook,
    gives: aWebhook,
    isRepeated: false,
  },
  exportPets: {
    call: async (store, options) =>
      new Response(await store.pets.export({ format: 'csv', name: 'a&b' }, options)).text(),
    sends: ['GET', '/pets/export?format=csv&name=a%26b'],
    answer: 'id,name\r\n',
    answerType: 'text/csv; charset=utf-8; header=present',
    gives: 'id,name\r\n',
    isRepeated: true,
  },
  importPets: {
    call: (store, options) => store.pets.import('name,categoryId\n', { format: 'csv', ...key, ...options }),
    sends: ['POST', '/pets/import', 'name,categoryId\n', 'text/csv'],
    answer: '{"imported":1,"firstId":5,"lastId":5}',
    gives: { imported: 1, firstId: 5n, lastId: 5n },
    headers: { ...keyed, 'content-encoding': 'gzip' },
    isRepeated: true,
  },
  getPet: {
    call: (store, options) => store.pets.get(big, options),
    sends: ['GET', `/pets/${big}`],
    answer: pet,
    gives: aPet,
    isRepeated: true,
  },
  updatePet: {
    call: (store, options) => store.pets.update(5n, { status: null }, { ifMatch: '"tag"', ...options }),
    sends: ['PATCH', '/pets/5', '{"status":null}', json],
    answer: pet,
    gives: aPet,
    headers: { 'if-match': '"tag"' },
    isRepeated: false,
  },
  deletePet: {
    call: (store, options) => store.pets.delete(5n, { ifMatch: '"tag"', ...options }),
    sends: ['DELETE', '/pets/5'],
    answer: '',
    gives: undefined,
    headers: { 'if-match': '"tag"' },
    isRepeated: false,
  },
  updatePets: {
    call: (store, options) => store.pets.updateMany({ ids: [big], change: { status: null } }, options),
    sends: ['PATCH', '/pets', `{"ids":[${big}],"change":{"status":null}}`, json],
    answer: `{"updated":1,"ids":[${big}]}`,
    gives: [big],
    isRepeated: false,
  },
  deletePets: {
    call: (store, options) => store.pets.deleteMany({ filter: { categoryId: big } }, options),
    sends: ['DELETE', '/pets', `{"filter":{"categoryId":${big}}}`, json],
    answer: `{"deleted":1,"ids":[${big}]}`,
    gives: [big],
    isRepeated: false,
  },
  getInventory: {
    call: (store, options) => store.getInventory(options),
    sends: ['GET', '/store/inventory'],
    answer: inventory,
    gives: JSON.parse(inventory),
    isRepeated: true,
  },
  getUsage: {
    call: (store, options) => store.getUsage({ by: 'door' }, options),
    sends: ['GET', '/usage?by=door'],
    answer: '[{"door":"rest","requests":2,"served":1,"faulty":1,"failed":0,"refusals":0}]',
    gives: [{ door: 'rest', requests: 2n, served: 1n, faulty: 1n, failed: 0n, refusals: 0n }],
    isRepeated: true,
  },
  getRateLimit: {
    call: (store, options) => store.getRateLimit(options),
    sends: ['GET', '/rate-limit'],
    answer: '{"plan":"free","windows":[],"ban":null}',
    gives: { plan: 'free', windows: [], ban: null },
    isRepeated: true,
  },
  listCategories: {
    call: (store, options) => Array.fromAsync(store.categories.list({}, options)),
    sends: ['GET', '/categories?limit=100'],
    answer: `[${category}]`,
    gives: [aCategory],
    isRepeated: true,
  },
  getCategory: {
    call: (store, options) => store.categories.get(-7n, options),
    sends: ['GET', '/categories/-7'],
    answer: category,
    gives: aCategory,
    isRepeated: true,
  },
  setCategory: {
    call: (store, options) => store.categories.set(7n, 'Dogs', options),
    sends: ['PUT', '/categories/7', '{"name":"Dogs"}', json],
    answer: category,
    gives: aCategory,
    isRepeated: true,
  },
  removeCategory: {
    call: (store, options) => store.categories.remove(7n, options),
    sends: ['DELETE', '/categories/7'],
    answer: '',
    gives: undefined,
    isRepeated: false,
  },
  listOrders: {
    call: (store, options) =>
      Array.fromAsync(store.orders.list({ status: 'placed', petId: 5n, reference: 'a b' }, options)),
    sends: ['GET', '/store/orders?limit=100&status=placed&petId=5&reference=a+b'],
    answer: `[${order}]`,
    gives: [anOrder],
    isRepeated: true,
  },
  placeOrder: {
    call: (store, options) => store.orders.place({ petId: 5n, reference: 'web-1' }, { ...key, ...options }),
    sends: ['POST', '/store/orders', '{"petId":5,"reference":"web-1"}', json],
    answer: order,
    gives: anOrder,
    headers: keyed,
    isRepeated: true,
  },
  getOrder: {
    call: (store, options) => store.orders.get(12n, options),
    sends: ['GET', '/store/orders/12'],
    answer: order,
    gives: anOrder,
    isRepeated: true,
  },
  approveOrder: {
    call: (store, options) => store.orders.approve(12n, options),
    sends: ['POST', '/store/orders/12/approve'],
    answer: order,
    gives: anOrder,
    isRepeated: true,
  },
  deliverOrder: {
    call: (store, options) => store.orders.deliver(12n, options),
    sends: ['POST', '/store/orders/12/deliver'],
    answer: order,
    gives: anOrder,
    isRepeated: true,
  },
  listEvents: {
    call: (store, options) =>
      Array.fromAsync(
        store.events.list(
          { after: '3f2a91bc-41', kind: 'store', type: 'pet.updated', subject: 'pet:12' },
          options,
        ),
      ),
    sends: ['GET', '/events?limit=100&kind=store&type=pet.updated&subject=pet%3A12&after=3f2a91bc-41'],
    answer: `[${event}]`,
    gives: [anEvent],
    isRepeated: true,
  },
  exportEvents: {
    call: async (store, options) =>
      new Response(await store.events.export({ format: 'csv', actor: 'operator:a&b' }, options)).text(),
    sends: ['GET', '/events/export?format=csv&actor=operator%3Aa%26b'],
    answer: 'id,type\r\n',
    answerType: 'text/csv; charset=utf-8; header=present',
    gives: 'id,type\r\n',
    isRepeated: true,
  },
  getEvent: {
    call: (store, options) => store.events.get('3f2a91bc-42', options),
    sends: ['GET', '/events/3f2a91bc-42'],
    answer: event,
    gives: anEvent,
    isRepeated: true,
  },
  cancelOrder: {
    call: (store, options) => store.orders.cancel(12n, options),
    sends: ['POST', '/store/orders/12/cancel'],
    answer: order,
    gives: anOrder,
    isRepeated: true,
  },
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

type Sent = { request: Request; redirect: RequestInit['redirect'] }

function openStore(answer: () => Response) {
  const sent: Sent[] = []
  const send: typeof fetch = async (url, init) => {
    sent.push({ request: new Request(url, { ...init, signal: null }), redirect: init?.redirect })
    return answer()
  }
  return { sent, store: new AnimalStore({ url: 'http://store.test/shop', key: 'as_key', fetch: send }) }
}

function textOf({ headers, body }: Request): Promise<string> {
  const isPacked = headers.get('content-encoding') === 'gzip'
  return new Response(isPacked ? body?.pipeThrough(new DecompressionStream('gzip')) : body).text()
}

const say = (text: string, type = json) =>
  new Response(text || null, { status: text ? 200 : 204, headers: { 'content-type': type } })

it('every operation of the contract has a method', () => {
  const methods = Object.values<Record<string, { operationId: string }>>(contract.paths)
  const documented = methods.flatMap(each => Object.values(each).map(({ operationId }) => operationId))

  expect(Object.keys(rows).sort()).toEqual(documented.sort())
})

describe.each(Object.entries(rows))(
  'the method for %s',
  (_id, { call, sends, answer, answerType, gives, headers, isRepeated }) => {
    it('the method sends its arguments with the key, and returns the answer', async () => {
      const { store, sent } = openStore(() => say(answer, answerType))

      const given = await call(store, {})

      const [method, address, body = '', type] = sends
      const [only, ...more] = sent as [Sent]
      expect(given).toEqual(gives)
      expect(more).toEqual([])
      expect([only.request.method, only.request.url]).toEqual([method, `http://store.test/shop/v1${address}`])
      expect(await textOf(only.request)).toBe(body)
      expect(Object.fromEntries(only.request.headers)).toEqual({
        accept: json,
        authorization: 'Bearer as_key',
        ...(type && { 'content-type': type }),
        ...headers,
      })
      expect(only.redirect).toBe('manual')
      expect(vi.getTimerCount()).toBe(0)
    })

    it(`the method ${isRepeated ? 'is' : 'is not'} retried if it is unknown whether the store made the change`, async () => {
      const { store, sent } = openStore(() => {
        if (sent.length === 1) throw new TypeError('fetch failed')
        return say(answer, answerType)
      })

      const outcome = call(store, {}).catch(({ code }) => code)
      // The source of an import is compressed outside the fake time.
      await expect.poll(() => sent.length).toBe(1)
      await vi.advanceTimersByTimeAsync(1_000)

      expect(await outcome).toEqual(isRepeated ? gives : 'connection_failed')
      expect(sent).toHaveLength(isRepeated ? 2 : 1)
    })

    it('the method ends when its signal is aborted, and sends nothing if the signal was already aborted', async () => {
      const { store, sent } = openStore(() => say(answer, answerType))
      const reason = new Error('not wanted any more')

      await expect(call(store, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)

      expect(sent).toEqual([])
    })

    it('the method throws the refusal of the store', async () => {
      const refusal = '{"code":"insufficient_scope","message":"No.","status":403}'
      const { store, sent } = openStore(() => new Response(refusal, { status: 403 }))

      await expect(call(store, {})).rejects.toMatchObject({ code: 'insufficient_scope', message: 'No.' })
      expect(sent).toHaveLength(1)
    })
  },
)

it.each<[string, (store: AnimalStore) => AsyncIterable<unknown>]>([
  ['pets', store => store.pets.list({ limit: undefined })],
  ['orders', store => store.orders.list({ limit: undefined })],
  ['categories', store => store.categories.list({ limit: undefined })],
  ['events', store => store.events.list({ limit: undefined })],
])('a list of %s whose limit is undefined has pages of 100', async (_what, list) => {
  const { store, sent } = openStore(() => say('[]'))

  await Array.fromAsync(list(store))

  expect(new URL(sent[0]?.request.url ?? '').search).toBe('?limit=100')
})

describe('the next page', () => {
  const link = '<https://other.test/v1/x?limit=2&cursor=c-2>; rel="next"'
  it.each<[string, (store: AnimalStore) => AsyncIterable<{ id: bigint }>, string[]]>([
    [
      'pets',
      store => store.pets.list({ limit: 1, status: 'sold' }),
      ['/pets?limit=1&status=sold', '/pets?limit=1&status=sold&cursor=c-2'],
    ],
    [
      'categories',
      store => store.categories.list({ limit: 1 }),
      ['/categories?limit=1', '/categories?limit=1&cursor=c-2'],
    ],
    [
      'orders',
      store => store.orders.list({ limit: 1, petId: 5n }),
      ['/store/orders?limit=1&petId=5', '/store/orders?limit=1&petId=5&cursor=c-2'],
    ],
    [
      'categories after a cursor',
      store => store.categories.list({ cursor: 'c-1' }),
      ['/categories?limit=100&cursor=c-1', '/categories?limit=100&cursor=c-2'],
    ],
    [
      'orders after a cursor',
      store => store.orders.list({ cursor: 'c-1' }),
      ['/store/orders?limit=100&cursor=c-1', '/store/orders?limit=100&cursor=c-2'],
    ],
  ])('the next page of %s repeats the query at the same store', async (_what, list, wanted) => {
    const { store, sent } = openStore(() =>
      sent.length === 1 ? new Response('[{"id":1}]', { headers: { link } }) : say('[{"id":2}]'),
    )

    const items = await Array.fromAsync(list(store))

    expect(items).toEqual([{ id: 1n }, { id: 2n }])
    expect(sent.map(({ request }) => request.url)).toEqual(
      wanted.map(path => `http://store.test/shop/v1${path}`),
    )
  })
})
