/** The fields of a pet as they are in the file. */
export type Row = { name: string; categoryId: string; status: string }

/** Splits CSV into records. A record continues over lines that end inside quotes. */
export function recordsOfCsv(text: string): string[] {
  const records: string[] = []
  let open: string | null = null
  for (const line of text.split('\n')) {
    if (open === null && line.trim() === '') continue
    const record: string = open === null ? line : `${open}\n${line}`
    const isOpen: boolean = hasOddQuotes(line) ? open === null : open !== null
    open = isOpen ? record : null
    if (!isOpen) records.push(record)
  }
  if (open !== null) records.push(open)
  return records
}

export function headedRows(head: string, records: readonly string[]): Row[] {
  const columns = fieldsOf(head)
  return records.map(record => {
    const fields = fieldsOf(record)
    const of = (column: string) => fields[columns.indexOf(column)] ?? ''
    return { name: of('name'), categoryId: of('categoryId'), status: of('status') }
  })
}

const field = /(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g

const fieldsOf = (record: string) =>
  [...record.replace(/\r$/, '').matchAll(field)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  )

const hasOddQuotes = (line: string) => line.split('"').length % 2 === 0
