import { type Pet, petFields } from '../core/pets/columns.ts'
import { petJson } from './pet-json.ts'

/** How many pets are written one after the other: what stands before them, and each as a line of its own. */
type Format = { type: string; head: string; line: (pet: Pet) => string }

export const petFormats = {
  ndjson: { type: 'application/x-ndjson; charset=utf-8', head: '', line: pet => `${petJson(pet)}\n` },
  csv: {
    type: 'text/csv; charset=utf-8; header=present',
    head: `${petFields.join(',')}\r\n`,
    line: pet => `${petFields.map(field => inCsv(pet[field])).join(',')}\r\n`,
  },
} as const satisfies Record<string, Format>

export type PetFormat = keyof typeof petFormats

export const isPetFormat = (name: string): name is PetFormat => Object.hasOwn(petFormats, name)

/** As RFC 4180 has it; what is unset is empty. */
function inCsv(value: string | bigint | null): string {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
