import { Command, Option } from 'commander'
import type { StoreEvent } from '../../clients/typescript/src/index.ts'
import { type CommandContext, toJson } from './command-context.ts'
import { subjectOf } from './events.ts'
import { moment, table } from './print.ts'
import { openRestClient, withCommandErrors } from './rest-client.ts'
import { addListOptions, type ListOptions, showList } from './show-list.ts'

type Filters = { actor?: string; type?: string; subject?: string; since?: string; until?: string }
type Options = ListOptions & Filters & { export?: 'csv' | 'ndjson' }
type Entry = StoreEvent & {
  actor?: { type: string; id?: string; name: string }
  door?: string
  address?: string
  requestId?: string
}

export function activityCommand(shop: CommandContext): Command {
  return addListOptions(new Command('activity'), 'entries', 'entry')
    .description('see who managed the project: the audit log, the oldest first')
    .option('--actor <actor>', 'only entries of this actor, such as operator or api_key:ID')
    .option('--type <types>', 'only entries of these types, such as api_key.issued,api_key.revoked')
    .option('--subject <subject>', 'only entries about this, such as domain:shop.example.com')
    .option('--since <time>', 'only entries of this time or later, such as 2026-11-01T00:00:00Z')
    .option('--until <time>', 'only entries before this time')
    .addOption(new Option('--export <format>', 'write all entries').choices(['csv', 'ndjson']))
    .action(async ({ limit, after, all, export: format, ...filters }: Options, command: Command) => {
      const list = (page: { limit?: number | undefined; after?: string | undefined }) =>
        openRestClient(shop.connect('owner')).events.list({ ...filters, ...page, kind: 'management' })
      if (format) return exportEntries(list({}).pages(), format)
      const showing = { limit, ...(after && { after }), ...(all && { all }) }
      await showList(
        shop,
        command,
        showing,
        page => list({ limit: page.limit, after: page.cursor }),
        showEntries,
      )
    })
    .addHelpText(
      'after',
      `
Examples:
  animal-store activity --actor operator
  animal-store activity --subject domain:shop.example.com
  animal-store activity --since 2026-11-01T00:00:00Z --export csv > activity.csv`,
    )
}

const columns = [
  'id',
  'type',
  'timestamp',
  'actorType',
  'actorId',
  'actorName',
  'door',
  'address',
  'requestId',
] as const
const more = ['subject', 'data', 'previous'] as const

/** Writes page by page, so a long log needs little memory. */
async function exportEntries(
  pages: AsyncIterable<{ items: StoreEvent[] }>,
  format: 'csv' | 'ndjson',
): Promise<void> {
  if (format === 'csv') process.stdout.write(`${[...columns, ...more].join(',')}\r\n`)
  const reading = pages[Symbol.asyncIterator]()
  for (;;) {
    const { value, done } = await withCommandErrors(reading.next())
    if (done) return
    const lines = value.items.map((entry: Entry) =>
      format === 'csv' ? `${csvOf(entry)}\r\n` : `${toJson(entry, 0)}\n`,
    )
    if (!process.stdout.write(lines.join('')))
      await new Promise(resolve => process.stdout.once('drain', resolve))
  }
}

function csvOf(entry: Entry): string {
  const { id, type, timestamp, actor, door, address, requestId } = entry
  const previous = 'previous' in entry ? entry.previous : undefined
  return [
    ...[id, type, timestamp, actor?.type, actor?.id, actor?.name, door, address, requestId, subjectOf(entry)],
    ...[toJson(entry.data, 0), previous && toJson(previous, 0)],
  ]
    .map(cell)
    .join(',')
}

/** Quotes a cell. A name may begin like a formula, which a spreadsheet would run. */
function cell(value: string | undefined): string {
  const text = /^[=+\-@\t\r]/.test(value ?? '') ? `'${value}` : (value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const showEntries = (entries: Entry[]): string =>
  table(
    ['TIME', 'ACTOR', 'TYPE', 'SUBJECT', 'DOOR'],
    entries.map(entry => [
      ...[moment(entry.timestamp), entry.actor && `${entry.actor.type} ${entry.actor.name}`, entry.type],
      ...[subjectOf(entry), entry.door],
    ]),
  )
