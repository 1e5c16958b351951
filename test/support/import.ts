import { expect } from 'vitest'
import type { Answer } from './ask.ts'
import type { TestProject } from './start-app.ts'

export const types = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const

export function sendImport(
  store: TestProject,
  format: keyof typeof types,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return store.ask('/v1/pets/import', {
    method: 'POST',
    headers: { 'content-type': types[format], ...headers },
    body,
  })
}

export const linesOf = (pets: readonly object[]) => pets.map(pet => `${JSON.stringify(pet)}\n`).join('')

export const manyPets = (count: number, name = 'Pet') =>
  Array.from({ length: count }, (_, i) => ({ name: `${name} ${i}`, categoryId: i % 7, status: 'available' }))

/** Imports this many pets. */
export async function addMany(store: TestProject, count: number, name?: string): Promise<Answer> {
  const answer = await sendImport(store, 'ndjson', linesOf(manyPets(count, name)))
  expect(answer.status).toBe(201)
  return answer
}
