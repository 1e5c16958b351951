/** The typed client's call for each operation id, as a statement after `store` was created. */
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
  exportPets: "console.log(await new Response(await store.pets.export({ format: 'csv' })).text())",
  importPets:
    "console.log(await store.pets.import('name,categoryId\\nBiscuit,7\\nNimbus,8\\n', { format: 'csv' }))",
  getPet: 'console.log(await store.pets.get(1n))',
  getRateLimit: 'console.log(await store.getRateLimit())',
}
