/** The most characters of a record that the store accepts. */
export const longestRecord = 64 * 1024

/**
 * The reader calls `record` with the fields of each record, and `refuse` for each record with a fault. `line` is the
 * number of the record's first line.
 */
type TakesRecords = {
  record(line: number, fields: readonly string[]): void
  refuse(line: number, message: string): void
}

/**
 * Reads CSV as in RFC 4180, line by line. Also accepts LF as line end, and skips empty lines. A record with a syntax
 * error ends at the end of its line. The service, the command line and the dashboard share this reader, so that all
 * three find the same records in a file.
 */
export function openCsv(taker: TakesRecords) {
  let fields: string[] = []
  /** The quoted field that continues on the next line. */
  let open: string | null = null
  let began = 0
  let length = 0

  function forget(): void {
    fields = []
    open = null
    length = 0
  }

  function refuse(message: string): void {
    forget()
    taker.refuse(began, message)
  }

  /** Adds the fields of this line to the record. Returns what is wrong with the line; null if the line has no fault. */
  function read(text: string, end: number): string | null {
    for (let at = 0; ; at++) {
      if (open === null && text[at] === '"') {
        open = ''
        at++
      }
      if (open === null) {
        const comma = text.indexOf(',', at)
        const field = text.slice(at, comma < 0 ? end : comma)
        if (field.includes('"')) return 'has a quote in a field that does not begin with one'
        fields.push(field)
        at += field.length
      } else {
        const closed: number | null = readQuoted(text, at)
        if (closed === null) return null
        at = closed
      }
      if (at >= end) return null
      if (text[at] !== ',') return 'has something between a closing quote and the next comma'
    }
  }

  /** Returns the index of the closing quote; null if the field continues on the next line. */
  function readQuoted(text: string, from: number): number | null {
    for (let at = from; ; ) {
      const quote = text.indexOf('"', at)
      const isLast = quote < 0
      open += isLast ? `${text.slice(at)}\n` : text.slice(at, quote)
      if (isLast) return null
      if (text[quote + 1] !== '"') {
        fields.push(open ?? '')
        open = null
        return quote + 1
      }
      open += '"'
      at = quote + 2
    }
  }

  return {
    /** Takes a line without its line feed. Lines are numbered from 1. */
    line(number: number, text: string) {
      const end = text.endsWith('\r') ? text.length - 1 : text.length
      if (open === null) {
        if (end === 0) return
        began = number
      }
      length += text.length
      const fault = length > longestRecord ? `is longer than ${longestRecord / 1024} KiB` : read(text, end)
      if (fault !== null) return refuse(fault)
      if (open !== null) return
      const record = fields
      forget()
      taker.record(began, record)
    },
    /** Refuses the current record, because this line has no readable text. For example, the line is not UTF-8. */
    refuse(number: number, message: string): void {
      if (open === null) began = number
      refuse(message)
    },
    /** Called after the last line. */
    end(): void {
      if (open !== null) refuse('has a quote that is never closed')
    },
    /** Returns true if the next line belongs to the current record. */
    isOpen: (): boolean => open !== null,
  }
}
