import { openCsv } from '../../../../../clients/typescript/src/csv.ts'

/** The fields of a pet as they are in the file. */
export type Row = { name: string; categoryId: string; status: string }

/** Reads the first records after the header line. */
export function readCsv(text: string, most: number): Row[] {
  const first: Row[] = []
  let columns: readonly string[] | null = null
  const csv = openCsv({
    record(_line, fields) {
      if (columns === null) columns = fields
      else if (first.length < most) first.push(toRow(columns, fields))
    },
    refuse() {
      columns ??= []
    },
  })
  for (const [index, line] of text.split('\n').entries()) {
    if (first.length === most) return first
    csv.line(index + 1, line)
  }
  csv.end()
  return first
}

function toRow(columns: readonly string[], fields: readonly string[]): Row {
  const of = (column: string) => fields[columns.indexOf(column)] ?? ''
  return { name: of('name'), categoryId: of('categoryId'), status: of('status') }
}
