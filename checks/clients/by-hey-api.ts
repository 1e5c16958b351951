import assert from 'node:assert/strict'
import { fetchQuoted, toExact } from './exact-fetch.ts'
import { client } from './generated/hey-api/client.gen.ts'
import * as heyApi from './generated/hey-api/index.ts'
import { authorization, baseUrl, type Store } from './store.ts'

client.setConfig({
  baseUrl,
  headers: { authorization },
  fetch: fetchQuoted,
  responseTransformer: toExact,
})

const throwOnError = true

export const byHeyApi: Store<bigint> = {
  async addPet(name, categoryId) {
    return (await heyApi.createPet({ body: { name, categoryId }, throwOnError })).data
  },
  async listPets(categoryId) {
    return (await heyApi.listPets({ query: { categoryId }, throwOnError })).data
  },
  async exportPets() {
    return (await heyApi.exportPets({ parseAs: 'text', throwOnError })).data
  },
  async setStatus(petId) {
    const body = { ids: [petId], change: { status: 'available' as const } }
    return (await heyApi.updatePets({ body, throwOnError })).data.ids
  },
  async deletePet(petId) {
    return (await heyApi.deletePet({ path: { petId }, throwOnError })).response.status
  },
  async placeOrder(petId) {
    return (await heyApi.placeOrder({ body: { petId }, throwOnError })).data
  },
  async cancelOrder(orderId) {
    return (await heyApi.cancelOrder({ path: { orderId }, throwOnError })).data.status
  },
  async findEvent(petId) {
    const { data } = await heyApi.listEvents({ query: { subject: `pet:${petId}` }, throwOnError })
    assert.ok(typeof data !== 'string')
    return data.flatMap(event => (event.type === 'pet.created' ? [event] : []))[0]
  },
  async addWebhook(url) {
    return (await heyApi.addWebhook({ body: { url }, throwOnError })).data
  },
  async rewindWebhook(webhookId, after) {
    return (await heyApi.rewindWebhook({ path: { webhookId }, body: { after }, throwOnError })).data
  },
  async removeWebhook(webhookId) {
    return (await heyApi.removeWebhook({ path: { webhookId }, throwOnError })).response.status
  },
  async readInventoryAgain() {
    const { response } = await heyApi.getInventory({ throwOnError })
    const headers = { 'If-None-Match': response.headers.get('etag') ?? '' }
    return (await heyApi.getInventory({ headers })).response?.status ?? 0
  },
}
