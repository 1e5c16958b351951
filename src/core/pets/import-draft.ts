import { createHash } from 'node:crypto'
import { type Fault, StoreError } from '../errors.ts'
import { jsonOf } from './columns.ts'
import { readNewPet } from './rules.ts'

export const mostPets = 10_000
const mostFaultyLines = 100
/** A statement must be short, because PostgreSQL stops it after its time limit. */
const mostOfAStatement = { pets: 250, characters: 60_000 }

/** Validated pets as JSON, one piece per statement, and a hash that identifies a repeated import. */
export type ValidatedPets = { count: number; pieces: string[]; hash: Uint8Array<ArrayBuffer> }

/** Validates pets line by line as they are read. Stores only what the import needs. */
export type ImportDraft = {
  add(line: number, input: Record<string, unknown>): void
  /** Reports a line that contains no pet. */
  refuse(line: number, faults: readonly Fault[]): void
  finish(): ValidatedPets
}

export function openImportDraft(): ImportDraft {
  const hash = createHash('sha256').update('import')
  const pieces: string[] = []
  const faults: Fault[] = []
  let piece: string[] = []
  let pieceLength = 0
  let faultyLines = 0
  let count = 0

  function endPiece(): void {
    pieces.push(`[${piece.join(',')}]`)
    piece = []
    pieceLength = 0
  }

  /**
   * Records the faults of a line. Throws once there are more faulty lines than the error shows, because a fault takes
   * more memory than a pet.
   */
  function note(line: number, found: readonly Fault[]): void {
    if (++faultyLines > mostFaultyLines) throw faulty(faultyLines, faults)
    faults.push(...found.map(fault => ({ ...fault, line })))
  }

  function countLine(): void {
    if (++count > mostPets) {
      throw new StoreError('body_too_large', `An import holds at most ${mostPets} pets.`)
    }
  }

  return {
    add(line, input) {
      countLine()
      const found: Fault[] = []
      const pet = readNewPet(input, found)
      if (found.length > 0) return note(line, found)
      // The import will be refused, so its pets need no memory.
      if (faultyLines > 0) return
      const json = jsonOf(pet)
      hash.update(json)
      piece.push(json)
      pieceLength += json.length
      if (piece.length === mostOfAStatement.pets || pieceLength > mostOfAStatement.characters) endPiece()
    },
    refuse(line, found) {
      countLine()
      note(line, found)
    },
    finish() {
      if (faultyLines > 0) throw faulty(faultyLines, faults)
      if (piece.length > 0) endPiece()
      return { count, pieces, hash: new Uint8Array(hash.digest()) }
    },
  }
}

function faulty(lines: number, details: Fault[]): StoreError {
  const [first] = details
  const many = lines > mostFaultyLines ? `More than ${mostFaultyLines}` : lines
  const all = lines === 1 ? '1 line is faulty' : `${many} lines are faulty`
  return new StoreError(
    'invalid_input',
    `${all}, so no pet was added; the first is line ${first?.line}, ${first?.field} ${first?.message}.`,
    { details },
  )
}
