import { openCsv } from '../../../../../clients/typescript/src/csv.ts'
import { restoreFormulas } from '../../../../../clients/typescript/src/formulas.ts'

/** The fields of a pet as they are in the file. */
export type Row = { name: string; categoryId: string; status: string }

/** Reads the first records after the header line. For a faulty record, returns the beginning of its line as the name. */
export function readCsv(text: string, most: number): Row[] {
  const first: Row[] = []
  let columns: readonly string[] | null = null
  const lines = text.split('\n')
  const csv = openCsv({
    record(_line, fields) {
      if (columns === null) columns = fields
      else if (first.length < most) first.push(toRow(columns, fields))
    },
    refuse(line) {
      if (columns === null) columns = []
      else if (first.length < most)
        first.push({ name: (lines[line - 1] ?? '').slice(0, 80), categoryId: '', status: '' })
    },
  })
  for (const [index, line] of lines.entries()) {
    if (first.length === most) return first
    csv.line(index + 1, line)
  }
  csv.end()
  return first
}

function toRow(columns: readonly string[], fields: readonly string[]): Row {
  const of = (column: string) => fields[columns.indexOf(column)] ?? ''
  const name = of('safe') === '1' ? restoreFormulas(of('name')) : of('name')
  return { name, categoryId: of('categoryId'), status: of('status') }
}
