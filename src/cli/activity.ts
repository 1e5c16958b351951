import { Command } from 'commander'
import {
  csvHead,
  csvLine,
  type Entry,
  type Filters,
  showEntries,
  showEntriesOfAll,
} from './activity-entry.ts'
import { pagesOfAll } from './activity-of-all.ts'
import { type CommandContext, toJson } from './command-context.ts'
import { exitCodes, Refused } from './exit.ts'
import { openRestClient, withCommandErrors } from './rest-client.ts'
import { addListOptions, type ListOptions, showList } from './show-list.ts'
import { timeText } from './time-text.ts'
import { type ExportFormat, formatOf, formatOption, writeExport } from './write-export.ts'

type ExportOptions = { export?: string | true; format?: ExportFormat }
type Options = ListOptions & Filters & ExportOptions & { allProjects?: boolean }

export function activityCommand(shop: CommandContext): Command {
  return addListOptions(new Command('activity'), 'entries', 'entry')
    .description('see who managed the project: the audit log, the oldest first')
    .option('--all-projects', 'the entries of all projects and of the service; needs an operator key')
    .option('--actor <actor>', 'only entries of this actor, such as operator or api_key:ID')
    .option('--type <types>', 'only entries of these types, such as api_key.issued,api_key.revoked')
    .option('--subject <subject>', 'only entries about this, such as domain:shop.example.com')
    .option('--since <time>', 'only entries of this time or later, such as 2026-11-01T00:00:00Z', timeText)
    .option('--until <time>', 'only entries before this time', timeText)
    .option(
      '--export [file]',
      'write all entries to this file, or to the standard output if no file is given or it is -',
    )
    .addOption(formatOption())
    .action(async (options: Options, command: Command) => {
      const { limit, after, all, allProjects, export: target, format, ...filters } = options
      if (target !== undefined)
        return exportEntries(shop, filters, { target, format, allProjects: allProjects === true })
      if (format) throw new Refused('--format needs --export.', exitCodes.wrongInput)
      const showing = { limit, ...(after && { after }), ...(all && { all }) }
      if (allProjects) {
        const operator = shop.connect('operator')
        const list = (page: object) => ({ pages: () => pagesOfAll(operator, filters, page) })
        return showList(shop, command, showing, list, showEntriesOfAll)
      }
      const { events } = openRestClient(shop.connect('owner'))
      const query = { ...filters, kind: 'management' } as const
      await showList(
        shop,
        command,
        showing,
        (page, call) => events.list({ ...query, limit: page.limit, after: page.cursor }, call),
        showEntries,
      )
    })
    .addHelpText(
      'after',
      `
A CSV is safe to open in a spreadsheet: a cell that begins like a formula gets an apostrophe before it.

Examples:
  animal-store activity --actor operator
  animal-store activity --subject domain:shop.example.com
  animal-store activity --since 2026-11-01T00:00:00Z --export activity.csv
  animal-store activity --all-projects --export --format ndjson | gzip > activity.gz`,
    )
}

type Target = { target: string | true; format: ExportFormat | undefined; allProjects: boolean }

async function exportEntries(
  shop: CommandContext,
  filters: Filters,
  { target, format: given, allProjects }: Target,
): Promise<void> {
  const file = target === true ? undefined : target
  const format = formatOf(file, given)
  if (allProjects) {
    const pages = pagesOfAll(shop.connect('operator'), filters, {})
    return writeExport(shop.output, file, {
      format,
      things: 'entries',
      open: () => linesOf(pages, format),
    })
  }
  const { events } = openRestClient(shop.connect('owner'))
  const query = { format, ...(format === 'csv' && { safe: '1' as const }), ...filters }
  await writeExport(shop.output, file, {
    format,
    things: 'entries',
    open: signal => withCommandErrors(events.export(query, signal ? { signal } : {})),
  })
}

/** Formats and writes page by page, so that a long log needs little memory. */
async function linesOf(
  pages: AsyncGenerator<{ items: Entry[] }, void>,
  format: ExportFormat,
): Promise<ReadableStream<Uint8Array>> {
  const utf8 = new TextEncoder()
  const line = format === 'csv' ? csvLine : (entry: Entry) => `${toJson(entry, 0)}\n`
  const write = ({ items }: { items: Entry[] }) => utf8.encode(items.map(line).join(''))
  // Read the first page before opening the file, so that a refusal leaves no empty file.
  const first = await pages.next()
  async function* lines(): AsyncGenerator<Uint8Array, void> {
    if (format === 'csv') yield utf8.encode(csvHead)
    if (first.value) yield write(first.value)
    for await (const page of pages) yield write(page)
  }
  const pieces = lines()
  // `ReadableStream.from` exists only since Node 20.6.
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}
