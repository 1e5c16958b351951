const webhook = '0199f1c2-7a3b-7c4d-9e5f-6a7b8c9d0e1f'

/**
 * The typed client's call for each operation id. Each call is a statement that uses the client `store`, which the
 * sample creates before the statement.
 */
export const clientCalls: Record<string, string> = {
  listPets: 'for await (const pet of store.pets.list()) console.log(pet.id, pet.name)',
  createPet: "console.log(await store.pets.create({ name: 'Biscuit', categoryId: 7n, status: 'available' }))",
  updatePet: "console.log(await store.pets.update(1n, { status: 'sold' }))",
  updatePets: "console.log(await store.pets.updateMany({ ids: [1n, 2n], change: { status: 'sold' } }))",
  deletePets: "console.log(await store.pets.deleteMany({ filter: { status: 'sold' } }))",
  deletePet: 'await store.pets.delete(1n)',
  listCategories:
    'for await (const category of store.categories.list()) console.log(category.id, category.name)',
  getCategory: 'console.log(await store.categories.get(7n))',
  setCategory: "console.log(await store.categories.set(7n, 'Dogs'))",
  removeCategory: 'await store.categories.remove(7n)',
  getInventory: 'console.log(await store.getInventory())',
  listOrders: 'for await (const order of store.orders.list()) console.log(order.id, order.status)',
  placeOrder: "console.log(await store.orders.place({ petId: 1n, reference: 'basket-42' }))",
  getOrder: 'console.log(await store.orders.get(12n))',
  approveOrder: 'console.log(await store.orders.approve(12n))',
  deliverOrder: 'console.log(await store.orders.deliver(12n))',
  cancelOrder: 'console.log(await store.orders.cancel(12n))',
  listEvents: 'for await (const event of store.events.list()) console.log(event.type, event.subject)',
  getEvent: "console.log(await store.events.get('3f2a91bc-42'))",
  exportEvents: "console.log(await new Response(await store.events.export({ format: 'csv' })).text())",
  exportPets: "console.log(await new Response(await store.pets.export({ format: 'csv' })).text())",
  importPets:
    "console.log(await store.pets.import('name,categoryId\\nBiscuit,7\\nNimbus,8\\n', { format: 'csv' }))",
  getPet: 'console.log(await store.pets.get(1n))',
  listWebhooks: 'console.log(await store.webhooks.list())',
  addWebhook: "console.log((await store.webhooks.add({ url: 'https://shop.example.com/hooks' })).secret)",
  getWebhook: `console.log(await store.webhooks.get('${webhook}'))`,
  changeWebhook: `console.log(await store.webhooks.change('${webhook}', { enabled: true }))`,
  removeWebhook: `await store.webhooks.remove('${webhook}')`,
  rotateWebhookSecret: `console.log((await store.webhooks.rotateSecret('${webhook}')).secret)`,
  testWebhook: `console.log(await store.webhooks.test('${webhook}'))`,
  listWebhookDeliveries: `for await (const attempt of store.webhooks.deliveries('${webhook}')) console.log(attempt.status)`,
  redeliverWebhook: `await store.webhooks.redeliver('${webhook}', 42n)`,
  rewindWebhook: `console.log(await store.webhooks.rewind('${webhook}', 40n))`,
  getUsage: 'console.log(await store.getUsage())',
  getRateLimit: 'console.log(await store.getRateLimit())',
}
