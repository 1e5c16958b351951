import { type Pet, petFields } from '../core/pets/columns.ts'

/** A pet as the wire has it: numbers exact over int64, and what is unset left out. */
export function petJson(pet: Pet): string {
  let json = ''
  for (const field of petFields) {
    const value = pet[field]
    if (value === null) continue
    json += `${json && ','}"${field}":${typeof value === 'bigint' ? value : JSON.stringify(value)}`
  }
  return `{${json}}`
}
