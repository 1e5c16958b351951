import { closeSync, createReadStream, open, openSync, statSync } from 'node:fs'
import { Socket } from 'node:net'
import { addAbortSignal, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { exitCodes, Refused } from './exit.ts'

/** Reads a file, or the standard input if the name is `-`. Stops when the signal aborts, even if it waits for a pipe. */
export async function* readInput(file: string, signal?: AbortSignal): AsyncGenerator<Buffer<ArrayBuffer>> {
  try {
    const input = await openInput(file, signal)
    yield* signal ? addAbortSignal(signal, input) : input
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new Refused(`${file} cannot be read: ${error.code}.`, exitCodes.wrongInput)
  }
}

/** Opens a named pipe as a socket, because a file stream cannot be destroyed while it waits for data. */
async function openInput(file: string, signal: AbortSignal | undefined): Promise<Readable> {
  if (file === '-') return process.stdin
  if (statSync(file).isFIFO()) return new Socket({ fd: await openPipe(file, signal), readable: true })
  return createReadStream(file, { highWaterMark: 1 << 18 })
}

/**
 * Waits until another process opens the pipe for writing. Nothing can cancel this wait, so after an abort this process
 * ends the wait by opening the pipe for writing itself.
 */
async function openPipe(file: string, signal: AbortSignal | undefined): Promise<number> {
  const opening = promisify(open)(file, 'r')
  let writer: number | undefined
  const endWait = () => {
    writer = openSync(file, 'r+')
  }
  signal?.addEventListener('abort', endWait)
  try {
    return await opening
  } finally {
    signal?.removeEventListener('abort', endWait)
    if (writer !== undefined) closeSync(writer)
  }
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
