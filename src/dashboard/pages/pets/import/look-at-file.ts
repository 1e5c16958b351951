import { type Part, splitImport } from '../../../../../clients/typescript/src/split-import.ts'
import { parseExactly } from '../../../app/exact-json.ts'
import { randomKey } from '../../../app/random-key.ts'
import { t } from '../../../texts/pages.ts'
import { type Row, readCsv } from './csv-records.ts'

/** The preview of a file. The preview does not validate the pets, because only the store does. */
export type Look = {
  fileName: string
  size: number
  format: 'csv' | 'ndjson'
  pets: number
  first: readonly Row[]
  /**
   * The file's bytes, in parts of one request each. The bytes are kept from the preview until they are sent, so that a
   * later change of the file has no effect.
   */
  parts: readonly Part[]
  /** The key stays the same for each attempt, so that no part is imported twice. */
  idempotencyKey: string
}

const mostBytes = 100_000_000
const mostPets = 1_000_000
const shown = 5
const pieceBytes = 1 << 20

export class NoLook extends Error {}
/** The file is too large for the memory of a tab. The command line reads such a file in parts. */
export class TooLarge extends NoLook {}

export async function lookAt(file: File): Promise<Look> {
  if (file.size > mostBytes) throw new TooLarge(t.pets.itIsLargerThan100)
  const beginning = decode(await read(file, 0))
  const format = formatOf(file.name, beginning)
  if (!beginning.includes('\n') && /\r./.test(beginning)) throw new NoLook(t.pets.itsLinesEndWithCarriage)
  const [header = ''] = beginning.trimStart().split('\n', 1)
  if (format === 'csv' && !header.includes(',') && /[;\t]/.test(header))
    throw new NoLook(t.pets.itsColumnsAreSeparatedBy)
  const parts: Part[] = []
  let pets = 0
  for await (const part of splitImport(piecesOf(file), format, 1)) {
    parts.push(part)
    pets += part.records
    if (pets > mostPets) throw new TooLarge(t.pets.itHasMoreThan1)
  }
  const [start] = parts
  if (!start || pets === 0) throw new NoLook(t.pets.itHoldsNoPets)
  const text = decode(start.bytes)
  const first = format === 'csv' ? readCsv(text, shown) : readNdjson(text)
  const { name: fileName, size } = file
  return { fileName, size, format, pets, first, parts, idempotencyKey: randomKey() }
}

/** An import that was begun. `done` is the number of its parts that are already imported. */
export type Attempt = { look: Look; done: number }

/**
 * Continues an import with a newly chosen file. Parts at the beginning of the file are skipped if the parts are already
 * imported and unchanged. The store may also have imported the next part, if only the answer of the store was lost. If
 * the next part is unchanged, the import therefore keeps the former idempotency key, so that the store does not import
 * the next part twice.
 */
export function goOn(former: Attempt | null, look: Look): Attempt {
  if (!former) return { look, done: 0 }
  const isEqual = (at: number) => {
    const [before, now] = [former.look.parts[at]?.bytes, look.parts[at]?.bytes]
    return before?.length === now?.length && before?.every((byte, index) => byte === now?.[index]) === true
  }
  let equal = 0
  while (equal <= former.done && isEqual(equal)) equal++
  const { idempotencyKey } = equal > former.done ? former.look : look
  return { look: { ...look, idempotencyKey }, done: Math.min(equal, former.done) }
}

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

async function read(file: File, from: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await file
    .slice(from, from + pieceBytes)
    .arrayBuffer()
    .catch(() => {
      throw new NoLook(t.pets.itCannotBeReadWas)
    })
  return new Uint8Array(bytes)
}

async function* piecesOf(file: File) {
  for (let from = 0; from < file.size; from += pieceBytes) yield await read(file, from)
}

/** Guesses the format from the file name, or else from the first characters. */
function formatOf(name: string, text: string): Look['format'] {
  if (text.includes('\0')) throw new NoLook(t.pets.thisIsntTextFileSave)
  if (text.trimStart().startsWith('[')) throw new NoLook(t.pets.itIsOneJsonList)
  if (/\.csv$/i.test(name)) return 'csv'
  if (/\.(ndjson|jsonl)$/i.test(name)) return 'ndjson'
  return text.trimStart().startsWith('{') ? 'ndjson' : 'csv'
}

function readNdjson(text: string): Row[] {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  return lines.slice(0, shown).map(rowOf)
}

/** Returns the pet of a line. If the line contains no pet, returns the beginning of the line as the name. */
function rowOf(line: string): Row {
  try {
    const { name, categoryId, status } = parseExactly(line)
    return { name: textOf(name), categoryId: textOf(categoryId), status: textOf(status) }
  } catch {
    return { name: line.slice(0, 80), categoryId: '', status: '' }
  }
}

const textOf = (value: unknown) =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
