import { disarmFormulas } from '../../clients/typescript/src/formulas.ts'
import { type Pet, petFields, textFields } from '../core/pets/columns.ts'
import { csvCell } from './csv.ts'
import { csvType, type Formats, type LineFormat, ndjsonType } from './export-formats.ts'
import { petJson } from './pet-json.ts'

/** The name of the CSV column that marks texts with extra apostrophes. */
export const safeColumn = 'safe'

const csvLine = (pet: Pet) => petFields.map(field => csvCell(pet[field])).join(',')

function disarmedPet(pet: Pet): Pet {
  const texts = textFields.map(field => [field, pet[field] && disarmFormulas(String(pet[field]))])
  return { ...pet, ...Object.fromEntries(texts) }
}

export const petFormats: Formats<Pet> = {
  ndjson: { type: ndjsonType, head: '', line: pet => `${petJson(pet)}\n` },
  csv: { type: csvType, head: `${petFields.join(',')}\r\n`, line: pet => `${csvLine(pet)}\r\n` },
}

/** The last column tells an import to remove the apostrophes. */
export const safePets: LineFormat<Pet> = {
  type: csvType,
  head: `${petFields.join(',')},${safeColumn}\r\n`,
  line: pet => `${csvLine(disarmedPet(pet))},1\r\n`,
}
