import { openCsv } from '../../clients/typescript/src/csv.ts'
import { restoreFormulas } from '../../clients/typescript/src/formulas.ts'
import type { Fault } from '../core/errors.ts'
import { parseExactJson } from '../core/exact-json.ts'
import { newPetFields, textFields } from '../core/pets/columns.ts'
import type { ImportDraft } from '../core/pets/import-draft.ts'
import { readNewPet } from '../core/pets/rules.ts'
import type { FormatName } from './export-formats.ts'
import type { TakesLines } from './lines.ts'
import { openMisspellings } from './members.ts'
import { isMisspelled, misspelled } from './misspelling.ts'
import { safeColumn } from './pet-formats.ts'

/**
 * Only this many columns of a header line are checked for misspelled names, because comparing names is slow, and a line
 * of 64 KiB can name ten thousand columns.
 */
const mostCompared = 100

const ofLine = (message: string): Fault[] => [{ field: 'line', message }]

/** Reads pets in each format that pet-formats.ts writes. */
export const petReaders: Record<FormatName, (draft: ImportDraft) => TakesLines> = {
  ndjson(draft) {
    const findMisspellings = openMisspellings(newPetFields)
    return {
      line(number, text) {
        if (text.trim() === '') return
        const pet = readObject(text)
        const faults = pet ? findMisspellings(pet) : ofLine('must be a JSON object')
        if (pet && faults.length === 0) draft.add(number, pet)
        else draft.refuse(number, faults)
      },
      refuse: (number, message) => draft.refuse(number, ofLine(message)),
      end() {},
    }
  },
  csv(draft) {
    /** Null if the header line is invalid: the other lines then have no meaning. */
    let columns: readonly string[] | null | undefined
    return openCsv({
      record(line, fields) {
        if (columns === undefined) {
          const faults = faultsOfColumns(fields)
          columns = faults.length > 0 ? null : fields
          if (columns === null) draft.refuse(line, faults)
        } else if (columns?.length === fields.length) draft.add(line, petOf(columns, fields))
        else if (columns) {
          draft.refuse(
            line,
            ofLine(`must have ${columns.length} fields, as the first line has; it has ${fields.length}`),
          )
        }
      },
      refuse(line, message) {
        if (columns === undefined) columns = null
        draft.refuse(line, ofLine(message))
      },
    })
  },
}

/** Null if the text is no JSON object. */
function readObject(text: string): Record<string, unknown> | null {
  try {
    const value = parseExactJson(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** Reads a line as a pet. An empty cell is unset, as in an export. */
function petOf(columns: readonly string[], fields: readonly string[]): Record<string, unknown> {
  const pet: Record<string, unknown> = {}
  columns.forEach((column, index) => {
    if (fields[index] !== '') pet[column] = fields[index]
  })
  if (pet[safeColumn] !== '1') return pet
  for (const field of textFields.filter(field => pet[field] !== undefined))
    pet[field] = restoreFormulas(String(pet[field]))
  return pet
}

/**
 * Finds faults in the header line. Columns may be in any order, and unknown ones are ignored. Required columns must
 * exist, and misspelled ones are rejected.
 */
function faultsOfColumns(columns: readonly string[]): Fault[] {
  const missing: Fault[] = []
  readNewPet({}, missing)
  return newPetFields.flatMap(field => {
    const times = columns.filter(column => column === field).length
    const nearly = columns.slice(0, mostCompared).find(column => isMisspelled(column, field))
    if (times > 1) return [{ field, message: 'must be the name of one column only' }]
    if (times === 0 && nearly !== undefined) return [misspelled(field, nearly)]
    const isNeeded = missing.some(fault => fault.field === field)
    return times === 0 && isNeeded ? [{ field, message: 'must be the name of a column' }] : []
  })
}
