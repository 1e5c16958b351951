import { openCsv } from '../../../../../clients/typescript/src/csv.ts'

/** The fields of a pet as they are in the file. */
export type Row = { name: string; categoryId: string; status: string }

/** Counts the records after the header line, and reads the first of them. A faulty record counts too. */
export function readCsv(text: string, most: number): { pets: number; first: Row[] } {
  const first: Row[] = []
  let columns: readonly string[] | null = null
  let pets = 0
  const csv = openCsv({
    record(_line, fields) {
      if (columns === null) columns = fields
      else if (pets++ < most) first.push(toRow(columns, fields))
    },
    refuse() {
      if (columns === null) columns = []
      else pets++
    },
  })
  text.split('\n').forEach((line, index) => {
    csv.line(index + 1, line)
  })
  csv.end()
  return { pets, first }
}

function toRow(columns: readonly string[], fields: readonly string[]): Row {
  const of = (column: string) => fields[columns.indexOf(column)] ?? ''
  return { name: of('name'), categoryId: of('categoryId'), status: of('status') }
}
