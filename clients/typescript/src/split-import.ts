import { longestRecord, openCsv } from './csv.ts'

type Bytes = Uint8Array<ArrayBuffer>
export type ImportFormat = 'ndjson' | 'csv'
/**
 * A chunk that fits one import: whole records from `line` on. A chunk of CSV begins with the file's header and the empty
 * lines below it.
 */
export type Part = {
  line: number
  records: number
  bytes: Bytes
  header: { line: number; lines: number } | null
}

/** The most records that the service accepts in one import. */
const mostRecords = 10_000
const mostBytes = 10_000_000

const lineFeed = 10

type Source = AsyncIterable<Bytes>
type Record = { line: number; lines: Bytes[]; length: number }

/**
 * Splits a file into parts, for the command line and the dashboard. Holds only the current part in memory, so that a
 * pipe may contain millions of pets. CSV without records is one part with only the header, because the header may be
 * faulty: a file with CR as line end is a single line.
 */
export async function* splitImport(source: Source, format: ImportFormat, from: number): AsyncGenerator<Part> {
  let header: Record | null = null
  let gathered: Record[] = []
  let length = 0
  let isFirst = true

  function take(): Part {
    isFirst = false
    const part = {
      line: gathered[0]?.line ?? 1,
      records: gathered.length,
      bytes: concat([...(header ? [header] : []), ...gathered].flatMap(({ lines }) => lines)),
      header: header && { line: header.line, lines: header.lines.length },
    }
    gathered = []
    length = header?.length ?? 0
    return part
  }

  for await (const record of recordsOf(source, format)) {
    if (format === 'csv' && header === null) {
      header = record
      length = record.length
      continue
    }
    if (record.line < from) continue
    const isFull = gathered.length === mostRecords || length + record.length > mostBytes
    if (isFull && gathered.length > 0) yield take()
    gathered.push(record)
    length += record.length
  }
  if (gathered.length > 0 || (isFirst && header !== null)) yield take()
}

/** Returns the number of the first line in the whole file that comes after the part. */
export function lineAfter({ line, bytes, header }: Part): number {
  let lines = -(header?.lines ?? 0)
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) lines++
  return line + lines
}

/** Converts a line number in the part to the line number in the whole file. */
export function lineInFile({ line, header }: Part, lineOfPart: number): number {
  const lineOfRecords = lineOfPart - (header?.lines ?? 0)
  if (header && lineOfRecords < 1) return header.line + lineOfPart - 1
  return line + lineOfRecords - 1
}

/**
 * Yields one record at a time. Empty lines belong to the record before them; empty lines before the first record are
 * skipped.
 */
async function* recordsOf(source: Source, format: ImportFormat): AsyncGenerator<Record> {
  const csv = format === 'csv' ? openCsv({ record() {}, refuse() {} }) : null
  let record: Record | null = null
  let number = 0
  for await (const line of linesOf(source)) {
    number++
    if (record === null && isEmpty(line)) continue
    if (record !== null && (csv?.isOpen() || isEmpty(line)) && record.length <= mostBytes) {
      record.lines.push(line)
      record.length += line.length
    } else {
      if (record !== null) yield record
      record = { line: number, lines: [line], length: line.length }
    }
    if (line.length > longestRecord) csv?.refuse(number, 'is too long')
    else csv?.line(number, textOf(line))
  }
  if (record !== null) yield record
}

/**
 * Yields lines with their line feeds. A line longer than an import is yielded in pieces, so that memory stays bounded.
 */
async function* linesOf(source: Source): AsyncGenerator<Bytes> {
  let held: Bytes[] = []
  let heldBytes = 0
  for await (const piece of source) {
    let from = 0
    for (let end = piece.indexOf(lineFeed); end >= 0; end = piece.indexOf(lineFeed, from)) {
      const line = piece.subarray(from, end + 1)
      yield held.length > 0 ? concat([...held, line]) : line
      held = []
      heldBytes = 0
      from = end + 1
    }
    held.push(piece.subarray(from))
    heldBytes += piece.length - from
    if (heldBytes > mostBytes) {
      yield concat(held)
      held = []
      heldBytes = 0
    }
  }
  if (heldBytes > 0) yield concat(held)
}

const decoder = new TextDecoder()
const isEmpty = (line: Bytes) => line.length <= 2 && decoder.decode(line).trim() === ''

/** Returns the text as the service reads it: without the line feed. The decoder removes a byte order mark. */
const textOf = (line: Bytes) => decoder.decode(line).replace(/\n$/, '')

function concat(pieces: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
