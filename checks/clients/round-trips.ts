import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { byHeyApi } from './by-hey-api.ts'
import { byOpenapiFetch } from './by-openapi-fetch.ts'
import { byOrval } from './by-orval.ts'
import { fetchQuoted } from './exact-fetch.ts'
import { authorization, baseUrl, type Store } from './store.ts'

const beyondDoubles = 9007199254740993n

/** Adds, reads, orders, changes and deletes a pet, and adds and removes a webhook endpoint. */
async function tryStore<Id>(name: string, store: Store<Id>): Promise<void> {
  const isExact = (value: Id) => assert.equal(String(value), String(beyondDoubles), `${name} rounds`)

  const pet = await store.addPet(name, beyondDoubles)
  isExact(pet.categoryId)
  const listed = (await store.listPets(beyondDoubles)).find(({ id }) => id === pet.id)
  assert.deepEqual(listed, pet)
  assert.match(await store.exportPets(), new RegExp(`"categoryId":${beyondDoubles}\\b`))
  assert.equal(await store.readInventoryAgain(), 304)

  const order = await store.placeOrder(pet.id)
  assert.equal(order.petId, pet.id)
  isExact(order.categoryId)
  assert.equal(await store.cancelOrder(order.id), 'cancelled')
  assert.deepEqual(await store.setStatus(pet.id), [pet.id])

  const webhook = await store.addWebhook('http://127.0.0.1:9/')
  assert.match(webhook.secret, /^whsec_/)
  const rewound = await store.rewindWebhook(webhook.id, 1n)
  assert.equal(rewound.id, webhook.id)
  assert.equal(rewound.delivered, typeof pet.id === 'bigint' ? 1n : 1)
  assert.equal(await store.removeWebhook(webhook.id), 204)

  const event = await findEvent(store, pet.id)
  assert.match(event.id, /^[0-9a-f]{8}-\d+$/)
  assert.equal(String(event.number), event.id.split('-')[1])
  assert.equal(typeof event.number, typeof pet.id)
  assert.equal(event.data.id, pet.id)
  isExact(event.data.categoryId)

  assert.equal(await store.deletePet(pet.id), 204)
  console.log(`A client by ${name} reads and writes every digit.`)
}

/** Events appear within a second of the change. */
async function findEvent<Id>(store: Store<Id>, petId: Id) {
  for (let second = 0; second < 10; second++) {
    const event = await store.findEvent(petId)
    if (event) return event
    await sleep(1000)
  }
  throw new Error('The event has not appeared.')
}

/** Reads the beginning of an event stream, which never ends. */
async function tryStream(): Promise<void> {
  const given = new AbortController()
  const headers = { authorization, accept: 'text/event-stream', 'last-event-id': '00000000-0' }
  const { body } = await fetchQuoted(`${baseUrl}/events`, { headers, signal: given.signal })
  const { value } = (await body?.getReader().read()) ?? {}
  assert.match(new TextDecoder().decode(value), /^(id|event|data|retry|):/)
  given.abort()
  console.log('fetchQuoted streams events.')
}

await tryStore('openapi-typescript', byOpenapiFetch)
await tryStore('orval', byOrval)
await tryStore('hey-api', byHeyApi)
await tryStream()
