import assert from 'node:assert/strict'
import * as orval from './generated/orval/exact.ts'
import type { Store } from './store.ts'

export const byOrval: Store<bigint> = {
  async addPet(name, categoryId) {
    return expect(201, await orval.createPet({ name, categoryId: String(categoryId) }))
  },
  async listPets(categoryId) {
    return expect(200, await orval.listPets({ categoryId }))
  },
  async exportPets() {
    const answer = await orval.exportPets()
    assert.ok('stream' in answer)
    return answer.stream.text()
  },
  async setStatus(petId) {
    const change = { ids: [String(petId)], change: { status: 'available' as const } }
    return expect(200, await orval.updatePets(change)).ids
  },
  async deletePet(petId) {
    return (await orval.deletePet(petId)).status
  },
  async placeOrder(petId) {
    return expect(201, await orval.placeOrder({ petId: String(petId) }))
  },
  async cancelOrder(orderId) {
    return expect(200, await orval.cancelOrder(orderId)).status
  },
  async findEvent(petId) {
    const events = expect(200, await orval.listEvents({ subject: `pet:${petId}` }))
    assert.ok(typeof events !== 'string')
    return events.flatMap(event => (event.type === 'pet.created' ? [event] : []))[0]
  },
  async addWebhook(url) {
    return expect(201, await orval.addWebhook({ url }))
  },
  async rewindWebhook(id, after) {
    return expect(200, await orval.rewindWebhook(id, { after: String(after) }))
  },
  async removeWebhook(id) {
    return (await orval.removeWebhook(id)).status
  },
  async readInventoryAgain() {
    const { headers } = await orval.getInventory()
    return (await orval.getInventory({ headers: { 'If-None-Match': headers.get('etag') ?? '' } })).status
  },
}

type Answer = { status: number; data: unknown }

function expect<Status extends number, Given extends Answer>(
  status: Status,
  answer: Given,
): Extract<Given, { status: Status }>['data'] {
  assert.equal(answer.status, status)
  return answer.data as Extract<Given, { status: Status }>['data']
}
