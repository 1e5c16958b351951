import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Answer } from '../support/ask.ts'
import { contract } from '../support/contract-document.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let owner: TestProject
let petId: number
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

type Row = {
  bounds: [bigint, bigint]
  of: 'numbers' | 'characters' | 'letters'
  send(value: string): Promise<Answer>
}
type Send = Row['send']
const numbers = (least: bigint, most: bigint, send: Send): Row => ({
  bounds: [least, most],
  of: 'numbers',
  send,
})
const letters = (most: bigint, send: Send): Row => ({ bounds: [1n, most], of: 'letters', send })
const characters = (most: bigint, send: Send): Row => ({ bounds: [1n, most], of: 'characters', send })

const leastLong = -(2n ** 63n)
const mostLong = 2n ** 63n - 1n
const get =
  (path: string): Send =>
  value =>
    owner.get(path + encodeURIComponent(value))
const order =
  (more: (value: string) => object): Send =>
  value =>
    owner.post('/v1/store/orders', { petId, ...more(value) })
const under =
  (path: string, body: () => unknown, type = 'application/json'): Send =>
  key =>
    owner.post(path, body(), { 'idempotency-key': key, 'content-type': type })

const url = 'https://93.184.216.7/'
async function addWebhook(): Promise<string> {
  return ((await owner.post('/v1/webhooks', { url, enabled: false })).json as { id: string }).id
}

/** Each request bound of the contract, with a request that tests it. */
const bounded: Record<string, Row> = {
  'listPets limit': numbers(1n, 100n, get('/v1/pets?limit=')),
  'listPets categoryId': numbers(leastLong, mostLong, get('/v1/pets?categoryId=')),
  'listPets name': characters(100n, get('/v1/pets?name=')),
  'exportPets categoryId': numbers(leastLong, mostLong, get('/v1/pets/export?categoryId=')),
  'exportPets name': characters(100n, get('/v1/pets/export?name=')),
  'listCategories limit': numbers(1n, 100n, get('/v1/categories?limit=')),
  'listCategories name': characters(100n, get('/v1/categories?name=')),
  'listOrders limit': numbers(1n, 100n, get('/v1/store/orders?limit=')),
  'listEvents limit': numbers(1n, 100n, get('/v1/events?limit=')),
  'listWebhookDeliveries limit': numbers(1n, 100n, async limit =>
    owner.get(`/v1/webhooks/${await addWebhook()}/deliveries?limit=${encodeURIComponent(limit)}`),
  ),
  'addWebhook body description': characters(200n, description =>
    owner.post('/v1/webhooks', { url, description }),
  ),
  'changeWebhook body description': characters(200n, async description =>
    owner.patch(`/v1/webhooks/${await addWebhook()}`, { description }),
  ),
  'listOrders reference': characters(100n, get('/v1/store/orders?reference=')),
  'listOrders search': characters(100n, get('/v1/store/orders?search=')),
  'createPet Idempotency-Key': letters(
    255n,
    under('/v1/pets', () => ({ name: 'Max', categoryId: 1 })),
  ),
  'importPets Idempotency-Key': letters(
    255n,
    under('/v1/pets/import', () => '{"name":"Max","categoryId":1}', 'application/x-ndjson'),
  ),
  'placeOrder Idempotency-Key': letters(
    255n,
    under('/v1/store/orders', () => ({ petId })),
  ),
  'createPet body name': characters(255n, name => owner.post('/v1/pets', { name, categoryId: 1 })),
  'updatePet body name': characters(255n, name => owner.patch(`/v1/pets/${petId}`, { name })),
  'setCategory body name': characters(100n, name =>
    owner.ask('/v1/categories/7', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    }),
  ),
  'placeOrder body reference': characters(
    100n,
    order(reference => ({ reference })),
  ),
  'placeOrder body note': characters(
    1000n,
    order(note => ({ note })),
  ),
}

/** Counts Unicode code points, not UTF-16 units. */
const letterOf = { letters: 'x', characters: '🐈' }

describe.each(Object.entries(bounded))('the bounds of %s', (_where, { bounds: [least, most], of, send }) => {
  const make = (size: bigint) => (of === 'numbers' ? String(size) : letterOf[of].repeat(Number(size)))

  beforeAll(async () => {
    owner = await app.makeProject()
    petId = ((await owner.post('/v1/pets', { name: 'Max', categoryId: 1 })).json as { id: number }).id
  })

  test('the smallest and the largest value that a bound allows are accepted', async () => {
    for (const size of [least, most]) {
      const { id } = (await owner.post('/v1/pets', { name: 'Max', categoryId: 1 })).json as { id: number }
      petId = id
      expect([200, 201]).toContain((await send(make(size))).status)
    }
  })

  test('values below and above a bound are refused', async () => {
    for (const size of [least - 1n, most + 1n]) {
      const { status, json } = await send(make(size))
      expect([size, status, json]).toMatchObject([size, 400, { code: 'invalid_input' }])
    }
  })
})

type Node = { [key: string]: unknown; $ref?: string }
type Bounds = { minimum?: number; maximum?: number; minLength?: number; maxLength?: number }

/**
 * Parameters whose values a client copies from an earlier answer. The table has no bounds of these parameters, because
 * the service returns a special error or finds nothing for any other value.
 */
const handedOut = [
  'Last-Event-ID',
  'event',
  'cursor',
  'after',
  'type',
  'subject',
  'actor',
  'If-Match',
  'If-None-Match',
  'petId',
  'orderId',
]

test('the table of tested bounds has every request bound of the contract, with the same numbers', () => {
  const said: [string, number, number][] = []
  const note = (where: string, schema: unknown) => {
    const { minimum, maximum, minLength, maxLength } = follow<Bounds>(schema)
    const [least, most] = [minimum ?? minLength, maximum ?? maxLength]
    if (least === undefined || most === undefined) return
    // The key may be in quotes, which take two of the characters.
    said.push([where, least, where.endsWith('Idempotency-Key') ? most - 2 : most])
  }
  for (const methods of Object.values<Node>(contract.paths)) {
    for (const operation of Object.values(methods)) {
      const { operationId, parameters = [], requestBody } = operation as Node & { parameters?: unknown[] }
      for (const parameter of parameters) {
        const { name, in: where, schema } = follow<{ name: string; in: string; schema: unknown }>(parameter)
        if (where !== 'path' && !handedOut.includes(name)) note(`${operationId} ${name}`, schema)
      }
      const { content = {} } = follow<{ content?: Record<string, { schema: unknown }> }>(requestBody ?? {})
      for (const { schema } of Object.values(content)) {
        const { properties = {} } = follow<{ properties?: Record<string, unknown> }>(schema)
        for (const [name, property] of Object.entries(properties))
          if (!handedOut.includes(name)) note(`${operationId} body ${name}`, property)
      }
    }
  }
  const tried = said.map(([where]) => [where, ...(bounded[where]?.bounds ?? []).map(Number)])

  expect(said.length).toBeGreaterThan(15)
  expect(tried).toEqual(said)
})

function follow<T>(node: unknown): T {
  const { $ref } = node as Node
  if ($ref === undefined) return node as T
  const names = $ref.slice('#/'.length).split('/')
  return follow<T>(names.reduce((at, name) => at[name] as Node, contract as Node))
}
