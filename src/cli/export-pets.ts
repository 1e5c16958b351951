import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { Command, Option } from 'commander'
import type { AnimalStore, ExportQuery } from '../../clients/typescript/src/index.ts'
import type { CommandContext } from './command-context.ts'
import { exitCodes, Refused } from './exit.ts'
import { openProgress } from './progress.ts'
import { openRestClient, withCommandErrors } from './rest-client.ts'
import { stoppable } from './stop-signal.ts'
import { writeOut } from './write-out.ts'

type Options = Omit<ExportQuery, 'categoryId'> & { category?: bigint }

export function exportCommand(shop: CommandContext): Command {
  return new Command('export')
    .argument('[file]', 'the file to write; without one, or with -, the standard output')
    .description('write all pets, or those that the filters leave, to a file or a pipe')
    .addOption(
      new Option(
        '--format <format>',
        'ndjson (one JSON object a line) or csv; by default csv for a file named *.csv, otherwise ndjson',
      ).choices(['ndjson', 'csv']),
    )
    .action(async (file: string | undefined, { category, ...options }: Options) => {
      const store = openRestClient(shop.connect('owner'))
      const format = options.format ?? (/\.csv$/i.test(file ?? '') ? 'csv' : 'ndjson')
      const query: ExportQuery = { format, ...options, categoryId: category }
      if (file === undefined || file === '-')
        await writeOut(await withCommandErrors(store.pets.export(query)))
      else await writeFile(store, query, file)
    })
}

/**
 * Writes to a temporary file beside the target and renames it at the end, so that a failed export does not replace a
 * complete file.
 */
async function writeFile(store: AnimalStore, query: ExportQuery, file: string): Promise<void> {
  const part = `${file}.part`
  const progress = openProgress(
    false,
    'exported',
    process.stderr.isTTY ? await countPets(store, query) : null,
  )
  let lines = query.format === 'csv' ? -1 : 0
  async function* count(pieces: AsyncIterable<Uint8Array>) {
    for await (const piece of pieces) {
      for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines++
      progress.show(lines)
      yield piece
    }
  }
  try {
    await stoppable(async signal => {
      const stream = await withCommandErrors(store.pets.export(query, { signal }))
      // A Node.js stream stops reading from the service when it is destroyed.
      await pipeline(Readable.fromWeb(stream as WebStream<Uint8Array>), count, createWriteStream(part), {
        signal,
      })
    })
    renameSync(part, file)
  } catch (error) {
    rmSync(part, { force: true })
    throw refused(error, file)
  } finally {
    progress.clear()
  }
}

function refused(error: unknown, file: string): Refused {
  if (error instanceof Refused) return error
  const { name, code, syscall } = error as NodeJS.ErrnoException
  if (name === 'AbortError')
    return new Refused(`Stopped: ${file} is not written.`, exitCodes.failed, 'stopped')
  return syscall === undefined
    ? new Refused(`Connection lost: ${file} is not written.`, exitCodes.failed)
    : new Refused(`${file} cannot be written: ${code}.`, exitCodes.wrongInput)
}

/** Returns the number of pets to export, for the progress line; null if the service has no count for the filters. */
async function countPets(
  store: AnimalStore,
  { status, categoryId, name }: ExportQuery,
): Promise<number | null> {
  if (name !== undefined || categoryId !== undefined) return null
  const inventory = await withCommandErrors(store.getInventory())
  return status === undefined ? inventory.total : inventory[status]
}
