import { type Pet, petFields } from '../core/pets/columns.ts'
import { petJson } from './pet-json.ts'

/** Formats a series of pets: a header, and one line per pet. */
type Format = { type: string; head: string; line: (pet: Pet) => string }

export const petFormats = {
  ndjson: { type: 'application/x-ndjson; charset=utf-8', head: '', line: pet => `${petJson(pet)}\n` },
  csv: {
    type: 'text/csv; charset=utf-8; header=present',
    head: `${petFields.join(',')}\r\n`,
    line: pet => `${petFields.map(field => inCsv(pet[field])).join(',')}\r\n`,
  },
} as const satisfies Record<string, Format>

/** The name of the CSV column that marks names with an extra apostrophe. */
export const safeColumn = 'safe'

export type PetFormat = keyof typeof petFormats

export const isPetFormat = (name: string): name is PetFormat => Object.hasOwn(petFormats, name)

/**
 * CSV for spreadsheets, which execute a cell that begins like a formula: such names get an apostrophe. The last column
 * tells an import to remove it.
 */
export const safeCsv: Format = {
  ...petFormats.csv,
  head: `${petFields.join(',')},${safeColumn}\r\n`,
  line: pet =>
    petFormats.csv
      .line({ ...pet, name: pet.name.replace(/^[=+\-@\t\r']/, "'$&") })
      .replace(/\r\n$/, ',1\r\n'),
}

/** Quotes a value as in RFC 4180. An unset value is an empty cell. */
function inCsv(value: string | bigint | null): string {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
