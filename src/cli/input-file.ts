import { createReadStream, open, statSync } from 'node:fs'
import { Socket } from 'node:net'
import { addAbortSignal, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { exitCodes, Refused } from './exit.ts'

/** Reads a file, or the standard input if the name is `-`. Stops when the signal aborts, even if it waits for a pipe. */
export async function* readInput(file: string, signal?: AbortSignal): AsyncGenerator<Buffer<ArrayBuffer>> {
  try {
    const input = await openInput(file)
    yield* signal ? addAbortSignal(signal, input) : input
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new Refused(`${file} cannot be read: ${error.code}.`, exitCodes.wrongInput)
  }
}

/** Opens a named pipe as a socket, because a file stream cannot be destroyed while it waits for data. */
async function openInput(file: string): Promise<Readable> {
  if (file === '-') return process.stdin
  if (statSync(file).isFIFO()) return new Socket({ fd: await promisify(open)(file, 'r'), readable: true })
  return createReadStream(file, { highWaterMark: 1 << 18 })
}

/**
 * True if the file can be read twice: for the count and for the import. A pipe can be read only once, so counting would
 * leave nothing to import.
 */
export function canBeReadTwice(file: string): boolean {
  try {
    return file !== '-' && statSync(file).isFile()
  } catch {
    // Ignore the error here, because the import fails with it too and reports it.
    return false
  }
}
