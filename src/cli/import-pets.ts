import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Command, Option } from 'commander'
import { type AnimalStore, type Imported, StoreError } from '../../clients/typescript/src/index.ts'
import { type CommandContext, wantsJson } from './command-context.ts'
import { type Detail, exitCodeOf, exitCodes, Refused } from './exit.ts'
import { openRestClient } from './rest-client.ts'
import { type ImportFormat, type Part, splitImport } from './split-import.ts'
import { wholeNumber } from './whole-number.ts'

type Options = { format?: ImportFormat; from: number; idempotencyKey?: string }
type Total = { imported: number; firstId?: bigint; lastId?: bigint }

/** A part may wait several minutes if other clients use the same budget. */
const deadlineMs = 300_000
const mostLinesShown = 20

export function importCommand(shop: CommandContext): Command {
  return new Command('import')
    .argument('<file>', 'of NDJSON or CSV, as export writes it; - is the standard input')
    .description('add the pets of a file or a pipe, 10,000 at a time, each time all or none')
    .addOption(
      new Option('--format <format>', 'what the file holds; by its name if left out').choices([
        'ndjson',
        'csv',
      ]),
    )
    .option('--from <line>', 'the line to begin with, to go on after a failure', wholeNumber, 1)
    .option('--idempotency-key <key>', 'repeating the command under the same key adds each pet only once')
    .action(async (file: string, options: Options, command: Command) => {
      const store = openRestClient(shop.connect('owner'))
      const progress = openProgress(wantsJson(command))
      const total = await importAll(store, file, options, progress.tell).finally(progress.clear)
      const text = `${total.imported} ${total.imported === 1 ? 'pet is' : 'pets are'} imported.`
      shop.tell(command, total, text)
    })
}

async function importAll(
  store: AnimalStore,
  file: string,
  { format = /\.csv$/i.test(file) ? 'csv' : 'ndjson', from, idempotencyKey }: Options,
  tell: (total: Total) => void,
): Promise<Total> {
  const key = idempotencyKey ?? randomUUID()
  const total: Total = { imported: 0 }
  for await (const part of splitImport(open(file), format, from)) {
    try {
      add(total, await importPart(store, format, `${key} ${part.line}`, part))
    } catch (failure) {
      if (!(failure instanceof StoreError)) throw failure
      throw refused(failure, part, total, key)
    }
    tell(total)
  }
  return total
}

/** The idempotency key includes the line, so that a part added before a crash is not added again. */
function importPart(store: AnimalStore, format: ImportFormat, idempotencyKey: string, part: Part) {
  return store.pets.import(new Blob([part.bytes]), { format, idempotencyKey, deadlineMs })
}

function add(total: Total, { imported, firstId, lastId }: Imported): void {
  total.imported += imported
  if (firstId !== undefined) total.firstId ??= firstId
  if (lastId !== undefined) total.lastId = lastId
}

async function* open(file: string): AsyncGenerator<Buffer<ArrayBuffer>> {
  try {
    yield* file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1 << 18 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new Refused(`${file} cannot be read: ${error.code}.`, exitCodes.wrongInput)
  }
}

/** Reports the fault by line of the whole file, and how to continue. */
function refused(failure: StoreError, part: Part, { imported }: Total, key: string): Refused {
  const inFile = (line: number) =>
    part.isHeaded ? (line === 1 ? 1 : part.line + line - 2) : part.line + line - 1
  const details: Detail[] = failure.details.map(({ line, ...detail }) =>
    line === undefined ? detail : { ...detail, line: inFile(line) },
  )
  const faults = details.map(
    ({ line, field, message }) => `\n  line ${line}: ${field === 'line' ? 'it' : field} ${message}`,
  )
  const shown = faults.slice(0, mostLinesShown).join('')
  const more = faults.length > mostLinesShown ? `\n  and ${faults.length - mostLinesShown} more` : ''
  const what =
    faults.length > 0 ? `Faulty lines, of which no pet was added:${shown}${more}\n` : `${failure.message} `
  const goOn = `${imported} pets are imported; go on with --from ${part.line} --idempotency-key ${key}`
  const exitCode = failure.status === null ? exitCodes.failed : exitCodeOf(failure.status)
  return new Refused(`${what}${goOn}`, exitCode, failure.code, details)
}

/** A progress line on a terminal, removed at the end. Prints nothing elsewhere. */
function openProgress(asJson: boolean) {
  const write = (text: string) => {
    if (!asJson && process.stderr.isTTY) process.stderr.write(`\r${text}\u001b[K`)
  }
  return {
    tell: ({ imported }: Total) => write(`${imported} pets imported …`),
    clear: () => write(''),
  }
}
