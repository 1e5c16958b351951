import { type Pet, petFields } from '../core/pets/columns.ts'

/** Formats a pet. Numbers are exact over int64; unset fields are omitted. */
export function petJson(pet: Pet): string {
  let json = ''
  for (const field of petFields) {
    const value = pet[field]
    if (value === null) continue
    json += `${json && ','}"${field}":${typeof value === 'bigint' ? value : JSON.stringify(value)}`
  }
  return `{${json}}`
}
