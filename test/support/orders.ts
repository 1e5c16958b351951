import type { TestProject } from './start-app.ts'

export type OrderAnswer = { id: number; status: string; code: string } & Record<string, unknown>

export async function createPet(store: TestProject, status?: string): Promise<number> {
  const pet = { name: 'Luna', categoryId: 7, ...(status && { status }) }
  return ((await store.post('/v1/pets', pet)).json as { id: number }).id
}

export const place = async (store: TestProject, petId: number, more = {}) =>
  (await store.post('/v1/store/orders', { petId, ...more })).json as OrderAnswer

export const move = async (store: TestProject, id: number | string, act: string) =>
  (await store.post(`/v1/store/orders/${id}/${act}`, '')).json as OrderAnswer

export const statusOf = async (store: TestProject, petId: number) =>
  ((await store.get(`/v1/pets/${petId}`)).json as { status?: string }).status
