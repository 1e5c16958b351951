import { type Pet, petFields } from '../core/pets/columns.ts'
import { petJson } from './pet-json.ts'

/** Writes a series of pets: a header, and one line per pet. */
type Format = { type: string; head: string; line: (pet: Pet) => string }

export const petFormats = {
  ndjson: { type: 'application/x-ndjson; charset=utf-8', head: '', line: pet => `${petJson(pet)}\n` },
  csv: {
    type: 'text/csv; charset=utf-8; header=present',
    head: `${petFields.join(',')}\r\n`,
    line: pet => `${petFields.map(field => inCsv(pet[field])).join(',')}\r\n`,
  },
} as const satisfies Record<string, Format>

/** This CSV column says that names have an extra apostrophe where they need one. */
export const safeColumn = 'safe'

export type PetFormat = keyof typeof petFormats

export const isPetFormat = (name: string): name is PetFormat => Object.hasOwn(petFormats, name)

/**
 * CSV for spreadsheets, which run a cell that begins like a formula. The last column tells an import to undo the escaping.
 */
export const safeCsv: Format = {
  ...petFormats.csv,
  head: `${petFields.join(',')},${safeColumn}\r\n`,
  line: pet =>
    petFormats.csv
      .line({ ...pet, name: pet.name.replace(/^[=+\-@\t\r']/, "'$&") })
      .replace(/\r\n$/, ',1\r\n'),
}

/** Quotes by RFC 4180; an unset value is an empty cell. */
function inCsv(value: string | bigint | null): string {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
