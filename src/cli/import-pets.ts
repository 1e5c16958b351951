import { randomUUID } from 'node:crypto'
import { Command, Option } from 'commander'
import { type AnimalStore, type Imported, StoreError } from '../../clients/typescript/src/index.ts'
import { requireIdempotencyKey } from '../../clients/typescript/src/request.ts'
import {
  type ImportFormat,
  lineAfter,
  lineInFile,
  type Part,
  splitImport,
} from '../../clients/typescript/src/split-import.ts'
import { type CommandContext, wantsJson } from './command-context.ts'
import { type Detail, exitCodeOf, exitCodes, Refused } from './exit.ts'
import { canBeReadTwice, readInput } from './input-file.ts'
import { openProgress } from './progress.ts'
import { openRestClient, withCommandErrors } from './rest-client.ts'
import { stoppable } from './stop-signal.ts'
import { lineNumber } from './whole-number.ts'

type Options = { format?: ImportFormat; from: number; idempotencyKey?: string }
type Total = { imported: number; firstId?: bigint; lastId?: bigint }

/** Other clients may use up the project's rate limit, so the import of one part may wait several minutes. */
const deadlineMs = 300_000
const mostLinesShown = 20
/**
 * The longest idempotency key that a user may give. The command appends a blank and the number of a part's first line,
 * and the service accepts at most 255 characters.
 */
const longestKey = 255 - ` ${Number.MAX_SAFE_INTEGER}`.length

export function importCommand(shop: CommandContext): Command {
  return new Command('import')
    .argument('<file>', 'an NDJSON or CSV file, as export writes it; - is the standard input')
    .description(
      'import pets from a file or a pipe in batches of 10,000; a faulty pet rejects its whole batch',
    )
    .addOption(
      new Option('--format <format>', 'the format of the file; by default from its name').choices([
        'ndjson',
        'csv',
      ]),
    )
    .option('--from <line>', 'the first line to import, to continue after a failure', lineNumber, 1)
    .option('--idempotency-key <key>', 'repeating the command under the same key adds each pet only once')
    .action(async (file: string, options: Options, command: Command) => {
      const store = openRestClient(shop.connect('owner'))
      const isShown = process.stderr.isTTY && !wantsJson(command) && canBeReadTwice(file)
      const progress = openProgress(
        wantsJson(command),
        'imported',
        isShown ? await countPets(file, options) : null,
      )
      const importing = stoppable(signal =>
        importAll(store, file, options, signal, ({ imported }) => progress.show(imported)),
      )
      const total = await withCommandErrors(importing.finally(progress.clear))
      const text = `${total.imported} ${total.imported === 1 ? 'pet is' : 'pets are'} imported.`
      shop.print(command, total, text)
    })
}

async function importAll(
  store: AnimalStore,
  file: string,
  options: Options,
  signal: AbortSignal,
  onPart: (total: Total) => void,
): Promise<Total> {
  const format = formatOf(file, options)
  const key = options.idempotencyKey ?? randomUUID()
  requireIdempotencyKey(key, longestKey)
  const total: Total = { imported: 0 }
  let line = options.from
  const goOn = () =>
    `${total.imported} pets are imported; go on with --from ${line} --idempotency-key ${quoted(key)}` +
    (options.format ? ` --format ${options.format}` : '')
  try {
    for await (const part of splitImport(readInput(file, signal), format, line)) {
      line = part.line
      signal.throwIfAborted()
      try {
        add(total, await importPart(store, format, `${key} ${line}`, part, signal))
      } catch (failure) {
        throw failure instanceof StoreError ? refused(failure, part, goOn()) : failure
      }
      line = lineAfter(part)
      onPart(total)
    }
  } catch (failure) {
    if (!signal.aborted) throw failure
    throw new Refused(`Stopped. ${goOn()}`, exitCodes.failed, 'stopped')
  }
  return total
}

/** Quotes the text for a shell, unless it has only characters that no shell treats specially. */
const quoted = (text: string) => (/^[\w.:@%+=/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/**
 * Imports one part. The idempotency key contains the number of the part's first line. If the user repeats a stopped
 * import with the same key, the service does not add a part a second time.
 */
function importPart(
  store: AnimalStore,
  format: ImportFormat,
  idempotencyKey: string,
  part: Part,
  signal: AbortSignal,
) {
  return store.pets.import(new Blob([part.bytes]), { format, idempotencyKey, deadlineMs, signal })
}

const formatOf = (file: string, { format }: Options): ImportFormat =>
  format ?? (/\.csv$/i.test(file) ? 'csv' : 'ndjson')

/**
 * Counts the file's records for the progress line. Reads the whole file, so it is called only if the output is a
 * terminal.
 */
async function countPets(file: string, options: Options): Promise<number> {
  let pets = 0
  for await (const { records } of splitImport(readInput(file), formatOf(file, options), options.from))
    pets += records
  return pets
}

function add(total: Total, { imported, firstId, lastId }: Imported): void {
  total.imported += imported
  if (firstId !== undefined) total.firstId ??= firstId
  if (lastId !== undefined) total.lastId = lastId
}

/**
 * Builds the error message of a failed import: the faulty lines (if any), numbered as in the whole file, and the
 * options with which the user can continue the import.
 */
function refused(failure: StoreError, part: Part, goOn: string): Refused {
  const details: Detail[] = failure.details.map(({ line, ...detail }) =>
    line === undefined ? detail : { ...detail, line: lineInFile(part, line) },
  )
  const faults = details.map(
    ({ line, field, message }) => `\n  line ${line}: ${field === 'line' ? 'it' : field} ${message}`,
  )
  const shown = faults.slice(0, mostLinesShown).join('')
  const more = faults.length > mostLinesShown ? `\n  and ${faults.length - mostLinesShown} more` : ''
  const what =
    faults.length > 0
      ? `These lines are faulty, so no pet of their batch was added:${shown}${more}\n`
      : `${failure.message} `
  const exitCode = failure.status === null ? exitCodes.failed : exitCodeOf(failure.status)
  return new Refused(`${what}${goOn}`, exitCode, failure.code, details)
}
