import { type Pet, petFields } from '../core/pets/columns.ts'
import { csvCell, disarmed } from './csv.ts'
import { csvType, type Formats, type LineFormat, ndjsonType } from './export-formats.ts'
import { petJson } from './pet-json.ts'

/** The name of the CSV column that marks names with an extra apostrophe. */
export const safeColumn = 'safe'

const csvLine = (pet: Pet) => petFields.map(field => csvCell(pet[field])).join(',')

export const petFormats: Formats<Pet> = {
  ndjson: { type: ndjsonType, head: '', line: pet => `${petJson(pet)}\n` },
  csv: { type: csvType, head: `${petFields.join(',')}\r\n`, line: pet => `${csvLine(pet)}\r\n` },
}

/** The last column tells an import to remove the apostrophe. */
export const safePets: LineFormat<Pet> = {
  type: csvType,
  head: `${petFields.join(',')},${safeColumn}\r\n`,
  line: pet => `${csvLine({ ...pet, name: disarmed(pet.name) })},1\r\n`,
}
