import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPetFields } from '../../src/core/pets/columns.ts'
import type { Answer } from '../support/ask.ts'
import { graphqlOf } from '../support/graphql.ts'
import { sendImport } from '../support/import.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
/** A free pet, a pet in an order, and a sold pet. The order has the reference web-1. */
let [free, ordered, sold, orderId]: number[] = []
beforeAll(async () => {
  app = await startApp()
  store = await app.makeProject()
  const add = async (more: object) =>
    idOf(await store.post('/v1/pets', { name: 'Luna', categoryId: 7, ...more }))
  ;[free, ordered, sold] = [await add({}), await add({}), await add({ status: 'sold' })]
  orderId = idOf(await order({ petId: ordered, reference: 'web-1' }, 'taken'))
})
afterAll(() => app.stop())

const idOf = ({ json }: Answer) => (json as { id: number }).id
const under = (key?: string): Record<string, string> => (key ? { 'idempotency-key': key } : {})
const order = (body: object, key?: string) => store.post('/v1/store/orders', body, under(key))
const move = (act: string) => store.post(`/v1/store/orders/${orderId}/${act}`, '')
const name = (id: string, body: object) =>
  store.ask(`/v1/categories/${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const longIds = 'ids are integers of 64 bits.'
const anInt64 = 'must be an integer from -2^63 to 2^63 - 1, or the string of its digits'
const aPetId = 'must be an integer of 64 bits, or the string of its digits'
const petStatuses = 'must be one of available, pending, sold'
const aLimit = 'must be a whole number from 1 to 100'
const usedKey = 'This Idempotency-Key was used for something else; use a new key for a new'

type Row = [what: string, ask: () => Promise<Answer>, status: number, code: string, message: () => string]
const rows: Row[] = [
  [
    'a missing pet',
    () => store.get('/v1/pets/42424242'),
    404,
    'pet_not_found',
    () => 'There is no pet 42424242.',
  ],
  [
    'an invalid id of a pet',
    () => store.get('/v1/pets/x'),
    404,
    'pet_not_found',
    () => `There is no such pet: ${longIds}`,
  ],
  [
    'a deletion of a pet in an order',
    () => store.delete(`/v1/pets/${ordered}`),
    ...[409, 'pet_in_order', () => `Pet ${ordered} is in an open order; deliver or cancel that first.`],
  ],
  [
    'a change with another tag',
    () => store.patch(`/v1/pets/${free}`, { name: 'Max' }, { 'if-match': '"other"' }),
    ...[412, 'precondition_failed', () => `Pet ${free} has changed; read it again, then change it.`],
  ],
  [
    'an invalid tag among others',
    () => store.patch(`/v1/pets/${free}`, { name: 'Max' }, { 'if-match': '"other", x y' }),
    ...[400, 'invalid_input', () => 'If-Match must be an ETag in quotes, a list of them, or *.'],
  ],
  [
    'an empty change',
    () => store.patch(`/v1/pets/${free}`, {}),
    ...[400, 'invalid_input', () => `body must have at least one of ${newPetFields.join(', ')}.`],
  ],
  [
    'a faulty pet',
    () => store.post('/v1/pets', { name: '', categoryId: 'x', status: 'lost' }),
    ...[
      400,
      'invalid_input',
      () => `name must be a string of 1 to 255 characters; categoryId ${anInt64}; status ${petStatuses}.`,
    ],
  ],
  [
    'a status of null',
    () => store.post('/v1/pets', { name: 'Max', categoryId: 1, status: null }),
    ...[400, 'invalid_input', () => `status ${petStatuses}.`],
  ],
  [
    'a name that cannot be stored',
    () => store.post('/v1/pets', { name: 'a\0b', categoryId: 1 }),
    ...[400, 'invalid_input', () => 'name must not contain control characters or a lone surrogate.'],
  ],
  [
    'a list of pets with faulty parameters',
    () => store.get('/v1/pets?limit=0&status=lost&categoryId=x&name=%00&sort=name'),
    ...[
      400,
      'invalid_input',
      () =>
        `limit ${aLimit}; status ${petStatuses}; categoryId ${anInt64}; ` +
        'name must be a part of a name, 1 to 100 characters; sort must be id or -id.',
    ],
  ],
  [
    'an invalid cursor',
    () => store.get('/v1/pets?cursor=x'),
    ...[400, 'invalid_input', () => 'cursor must be a cursor of a page of this list.'],
  ],
  [
    'an idempotency key outside ASCII',
    () => store.post('/v1/pets', { name: 'Max', categoryId: 1 }, under('k\u00e4se')),
    ...[400, 'invalid_input', () => 'Idempotency-Key must be 1 to 255 printable ASCII characters.'],
  ],
  [
    'a category without a name',
    () => store.get('/v1/categories/9'),
    404,
    'category_not_found',
    () => 'The category 9 has no name.',
  ],
  [
    'the id of a category that is not a number',
    () => name('x', { name: 'Dogs' }),
    ...[404, 'category_not_found', () => 'There is no such category: its number is an integer of 64 bits.'],
  ],
  [
    'a missing name of a category',
    () => name('9', {}),
    ...[400, 'invalid_input', () => 'name must be a string of 1 to 100 characters.'],
  ],
  [
    'a missing order',
    () => store.get('/v1/store/orders/4242'),
    404,
    'order_not_found',
    () => 'There is no order 4242.',
  ],
  [
    'an invalid id of an order',
    () => store.get('/v1/store/orders/x'),
    ...[404, 'order_not_found', () => `There is no such order: ${longIds}`],
  ],
  [
    'a faulty order',
    () => order({ petId: 1.5, reference: '', note: 5 }),
    ...[
      400,
      'invalid_input',
      () =>
        `petId ${aPetId}; reference must be a string of 1 to 100 characters; note must be a string of 1 to 1000 characters.`,
    ],
  ],
  [
    'a list of orders with faulty parameters',
    () => store.get('/v1/store/orders?limit=x&status=lost&petId=x&reference='),
    ...[
      400,
      'invalid_input',
      () =>
        `limit ${aLimit}; reference must be a string of 1 to 100 characters; ` +
        `status must be one of placed, approved, delivered, cancelled; petId ${aPetId}.`,
    ],
  ],
  [
    'an order of a missing pet',
    () => order({ petId: 42424242 }),
    ...[404, 'pet_not_found', () => 'There is no pet 42424242.'],
  ],
  [
    'an order of a sold pet',
    () => order({ petId: sold }),
    ...[
      409,
      'pet_not_available',
      () => `Pet ${sold} cannot be ordered: it is pending or sold, or another order came first.`,
    ],
  ],
  [
    'a reference that another order has',
    () => order({ petId: free, reference: 'web-1' }),
    ...[409, 'order_exists', () => `The order ${orderId} has the reference web-1 already.`],
  ],
  [
    'a delivery of an order that is not approved',
    () => move('deliver'),
    ...[
      409,
      'order_state',
      () => `The order ${orderId} is placed; only an order that is approved can become delivered.`,
    ],
  ],
  [
    'an order with the idempotency key of something else',
    () => order({ petId: free }, 'taken'),
    ...[422, 'idempotency_mismatch', () => `${usedKey} order.`],
  ],
  [
    'a new pet with the idempotency key of something else',
    () => store.post('/v1/pets', { name: 'Max', categoryId: 1 }, under('taken')),
    ...[422, 'idempotency_mismatch', () => `${usedKey} pet.`],
  ],
  [
    'an import with the idempotency key of something else',
    () => sendImport(store, 'csv', 'name,categoryId\nMax,1\n', under('taken')),
    ...[422, 'idempotency_mismatch', () => `${usedKey} import.`],
  ],
] as unknown as Row[]

describe('the message of a refusal', () => {
  it.each(rows)(
    'the message of a refused request says what was wrong with %s',
    async (_what, ask, status, code, message) => {
      const { json } = await ask()

      expect(json).toMatchObject({ status, code, message: message() })
    },
  )

  it('a refused move of an ended order names the state that the move needs', async () => {
    await move('cancel')

    for (const [act, rule] of [
      ['approve', 'only an order that is placed can become approved.'],
      ['deliver', 'only an order that is approved can become delivered.'],
    ] as const)
      expect((await move(act)).json).toMatchObject({ message: `The order ${orderId} is cancelled; ${rule}` })
  })

  it('the refusal of a cancellation names the two order states in which a cancellation is possible', async () => {
    const id = idOf(await order({ petId: free }))
    for (const act of ['approve', 'deliver']) await store.post(`/v1/store/orders/${id}/${act}`, '')

    expect((await store.post(`/v1/store/orders/${id}/cancel`, '')).json).toMatchObject({
      message: `The order ${id} is delivered; only an order that is placed or approved can become cancelled.`,
    })
  })

  it('the ifMatch of a GraphQL mutation may be a star with spaces around the star, which matches any tag', async () => {
    const change = `updatePet(petId: ${sold}, input: { name: "Rex" }, ifMatch: " * ") { name }`

    expect((await graphqlOf(app, store)(`mutation { ${change} }`)).data).toEqual({
      updatePet: { name: 'Rex' },
    })
  })

  it('an error message uses the names of the API, REST or GraphQL, that received the request', async () => {
    const send = graphqlOf(app, store)
    const refusals = {
      [`input must have at least one of ${newPetFields.join(', ')}.`]: `updatePet(petId: ${free}, input: {}) { id }`,
      'ifMatch must be an ETag, a list of them, or *.': `updatePet(petId: ${free}, input: { name: "Max" }, ifMatch: "") { id }`,
      'idempotencyKey must be 1 to 255 printable ASCII characters.':
        'createPet(input: { name: "Max", categoryId: 1 }, idempotencyKey: "a\\u007f") { id }',
    }

    for (const [message, field] of Object.entries(refusals))
      expect((await send(`mutation { ${field} }`)).errors).toMatchObject([{ message }])
  })
})
