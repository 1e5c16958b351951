import { randomKey } from '../../../app/random-key.ts'
import { type Row, readCsv } from './csv-records.ts'

/** The preview of a file. Its pets are validated by the store only. */
export type Look = {
  fileName: string
  size: number
  format: 'csv' | 'ndjson'
  pets: number
  first: readonly Row[]
  /** The bytes to send, even if the file changes after the preview. */
  bytes: ArrayBuffer
  /** The same key for each attempt. */
  idempotencyKey: string
}

const mostBytes = 10_000_000
const mostPets = 10_000
const shown = 5

export class NoLook extends Error {}
/** The file is too large for one request. The command line sends such a file in parts. */
export class TooLarge extends NoLook {}

export async function lookAt(file: File): Promise<Look> {
  if (file.size > mostBytes) throw new TooLarge('It is larger than 10 MB, the most for one import.')
  const bytes = await file.arrayBuffer().catch(() => {
    throw new NoLook('It cannot be read. Was it moved or changed, or is it a folder?')
  })
  const text = new TextDecoder().decode(bytes)
  const format = formatOf(file.name, text)
  const { pets, first } = format === 'csv' ? readCsv(text, shown) : readNdjson(text)
  if (pets > mostPets) throw new TooLarge('It has more than 10,000 pets, the most for one import.')
  if (pets === 0) throw new NoLook('It holds no pets.')
  const { name: fileName, size } = file
  return { fileName, size, format, pets, first, bytes, idempotencyKey: randomKey() }
}

/** Guesses the format from the file name, or else from the first characters. */
function formatOf(name: string, text: string): Look['format'] {
  if (text.includes('\0')) throw new NoLook('This isn’t a text file. Save your spreadsheet as CSV first.')
  if (text.trimStart().startsWith('['))
    throw new NoLook('It is one JSON list. Write each pet on a line of its own.')
  if (/\.csv$/i.test(name)) return 'csv'
  if (/\.(ndjson|jsonl)$/i.test(name)) return 'ndjson'
  return text.trimStart().startsWith('{') ? 'ndjson' : 'csv'
}

function readNdjson(text: string) {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  return { pets: lines.length, first: lines.slice(0, shown).map(rowOf) }
}

/** Shows a line without a pet as it is. */
function rowOf(line: string): Row {
  try {
    const { name, categoryId, status } = JSON.parse(line, exact)
    return { name: textOf(name), categoryId: textOf(categoryId), status: textOf(status) }
  } catch {
    return { name: line.slice(0, 80), categoryId: '', status: '' }
  }
}

/** Keeps numbers as text, because a category's number may not fit a double. */
function exact(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? (context?.source ?? value) : value
}

const textOf = (value: unknown) =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
