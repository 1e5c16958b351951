import type { Pet } from '../core/pets.ts'

/** A pet as the wire has it: numbers exact over int64, and an unset status left out. */
export function petJson(pet: Pet): string {
  const status = pet.status === null ? '' : `,"status":"${pet.status}"`
  return `{"id":${pet.id},"name":${JSON.stringify(pet.name)},"categoryId":${pet.categoryId}${status}}`
}
