/** What the typed client says for an operation: by its id, as a statement of its own after `store` was opened. */
export const clientCalls: Record<string, string> = {
  listPets: 'for await (const pet of store.pets.list()) console.log(pet.id, pet.name)',
  createPet: "console.log(await store.pets.create({ name: 'Biscuit', categoryId: 7n, status: 'available' }))",
  getPet: 'console.log(await store.pets.get(1n))',
  getRateLimit: 'console.log(await store.getRateLimit())',
}
