import assert from 'node:assert/strict'
import createClient from 'openapi-fetch'
import { fetchQuoted } from './exact-fetch.ts'
import type { paths } from './generated/openapi-typescript/types.ts'
import { authorization, baseUrl, type Store } from './store.ts'

const client = createClient<paths>({
  baseUrl,
  headers: { authorization },
  fetch: fetchQuoted,
})

export const byOpenapiFetch: Store<number> = {
  async addPet(name, categoryId) {
    return expect(await client.POST('/pets', { body: { name, categoryId: String(categoryId) } }))
  },
  async listPets(categoryId) {
    // The types of this generator know no bigint. A string is sent as it is.
    const query = { categoryId: String(categoryId) as unknown as number }
    return expect(await client.GET('/pets', { params: { query } }))
  },
  async exportPets() {
    return expect(await client.GET('/pets/export', { parseAs: 'text' }))
  },
  async setStatus(petId) {
    const body = { ids: [petId], change: { status: 'available' as const } }
    return expect(await client.PATCH('/pets', { body })).ids
  },
  async deletePet(petId) {
    return (await client.DELETE('/pets/{petId}', { params: { path: { petId } } })).response.status
  },
  async placeOrder(petId) {
    return expect(await client.POST('/store/orders', { body: { petId } }))
  },
  async cancelOrder(orderId) {
    return expect(await client.POST('/store/orders/{orderId}/cancel', { params: { path: { orderId } } }))
      .status
  },
  async findEvent(petId) {
    const events = expect(await client.GET('/events', { params: { query: { subject: `pet:${petId}` } } }))
    assert.ok(typeof events !== 'string')
    return events.flatMap(event => (event.type === 'pet.created' ? [event] : []))[0]
  },
  async addWebhook(url) {
    return expect(await client.POST('/webhooks', { body: { url } }))
  },
  async rewindWebhook(webhookId, after) {
    const given = { params: { path: { webhookId } }, body: { after: String(after) } }
    return expect(await client.POST('/webhooks/{webhookId}/rewind', given))
  },
  async removeWebhook(webhookId) {
    return (await client.DELETE('/webhooks/{webhookId}', { params: { path: { webhookId } } })).response.status
  },
  async readInventoryAgain() {
    const { response } = await client.GET('/store/inventory')
    const header = { 'If-None-Match': response.headers.get('etag') ?? '' }
    return (await client.GET('/store/inventory', { params: { header } })).response.status
  },
}

function expect<Data>(answer: { data?: Data; error?: unknown }): NonNullable<Data> {
  assert.ok(answer.data, JSON.stringify(answer.error))
  return answer.data
}
