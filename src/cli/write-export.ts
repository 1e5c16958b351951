import { chmodSync, createWriteStream, existsSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { Option } from 'commander'
import { exitCodes, Refused } from './exit.ts'
import type { Output } from './output.ts'
import { openProgress } from './progress.ts'
import { stoppable } from './stop-signal.ts'
import { writeOut } from './write-out.ts'

export type ExportFormat = 'ndjson' | 'csv'

type Export = {
  format: ExportFormat
  /** Name of the lines in the progress, such as `pets`. */
  things: string
  open(signal?: AbortSignal): Promise<ReadableStream<Uint8Array>>
  /** Returns the number of lines to write, for the progress line; null if it is unknown. */
  count?(): Promise<number | null>
}

export const formatOption = () =>
  new Option(
    '--format <format>',
    'ndjson (one JSON object a line) or csv; by default csv for a file named *.csv, otherwise ndjson',
  ).choices(['ndjson', 'csv'])

export const formatOf = (file: string | undefined, format: ExportFormat | undefined): ExportFormat =>
  format ?? (/\.csv$/i.test(file ?? '') ? 'csv' : 'ndjson')

/** Writes an export to a file, or to the standard output if the file is absent or `-`. */
export async function writeExport(output: Output, file: string | undefined, exported: Export): Promise<void> {
  if (file === undefined || file === '-') await writeOut(await exported.open(), output)
  else await writeFile(file, exported)
}

/**
 * Writes to a temporary file beside the target and renames it at the end, so that a failed export does not replace a
 * complete file. Writes to a pipe or a device directly.
 */
async function writeFile(file: string, { format, things, open, count }: Export): Promise<void> {
  const { target, part, mode } = findTarget(file)
  const total = process.stderr.isTTY && count ? await count() : null
  const progress = openProgress(false, 'exported', total, things)
  let lines = format === 'csv' ? -1 : 0
  async function* countLines(pieces: AsyncIterable<Uint8Array>) {
    for await (const piece of pieces) {
      for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines++
      progress.show(lines)
      yield piece
    }
  }
  try {
    await stoppable(async signal => {
      const stream = await open(signal)
      // If writing fails, `Readable.fromWeb` cancels the stream, so that no more of the export is read from the
      // service.
      const written = createWriteStream(part ?? target, { mode })
      const closed = new Promise(done => written.on('close', done))
      try {
        await pipeline(Readable.fromWeb(stream as WebStream<Uint8Array>), countLines, written, { signal })
      } finally {
        // After a failure, the stream may create the temporary file late, so wait before the file is removed.
        if (part !== null) await closed
      }
    })
    if (part !== null) {
      // The umask has taken rights away when the temporary file was created.
      if (mode !== undefined) chmodSync(part, mode)
      renameSync(part, target)
    }
  } catch (error) {
    if (part !== null && existsSync(part)) rmSync(part)
    throw refused(error, file, part === null ? 'is incomplete' : undefined)
  } finally {
    progress.clear()
  }
}

/**
 * `part` is the temporary file; null for a pipe or a device, which a rename would replace by a regular file. `mode`
 * has the permissions of the replaced file; undefined for a new file.
 */
type Target = { target: string; part: string | null; mode: number | undefined }

function findTarget(file: string): Target {
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    const mode = found && found.mode & 0o777
    if (found && !found.isFile()) return { target: file, part: null, mode }
    // Use the path of the linked file, because a rename would replace the link instead.
    const target = found ? realpathSync(file) : file
    return { target, part: `${target}.${process.pid}.part`, mode }
  } catch (error) {
    throw refused(error, file)
  }
}

function refused(error: unknown, file: string, state = 'is not written'): Refused {
  if (error instanceof Refused) return error
  const { name, code, syscall } = error as NodeJS.ErrnoException
  if (name === 'AbortError') return new Refused(`Stopped: ${file} ${state}.`, exitCodes.failed, 'stopped')
  return syscall === undefined
    ? new Refused(`Connection lost: ${file} ${state}.`, exitCodes.failed)
    : new Refused(`${file} cannot be written: ${code}.`, exitCodes.wrongInput)
}
