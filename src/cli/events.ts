import { Command } from 'commander'
import type { StoreEvent } from '../../clients/typescript/src/index.ts'
import { type CommandContext, toJson, wantsJson } from './command-context.ts'
import { moment, table } from './print.ts'
import { printable } from './printable.ts'
import { openRestClient, withCommandErrors } from './rest-client.ts'
import { addListOptions, type ListOptions, showList } from './show-list.ts'
import { stoppable } from './stop-signal.ts'

type Filters = { type?: string; subject?: string }

export function eventsCommand(shop: CommandContext): Command {
  const events = new Command('events').description('read the events of the store, each once and in order')
  const open = () => openRestClient(shop.connect('owner')).events
  const filtered = (command: Command) =>
    command
      .option('--type <types>', 'only events of these types, such as pet.created,order.placed')
      .option('--subject <subject>', 'only events about this, such as pet:12')

  filtered(addListOptions(events.command('list'), 'events', 'event'))
    .description('list events, the oldest first')
    .action(async ({ type, subject, ...options }: ListOptions & Filters, command: Command) => {
      await showList(
        shop,
        command,
        options,
        ({ limit, cursor }, call) => open().list({ type, subject, limit, after: cursor }, call),
        showEvents,
      )
    })

  filtered(events.command('tail'))
    .description('print events while they happen; with --json one a line')
    .option('--after <event>', 'begin after the event with this id instead of now')
    .action(async (query: Filters & { after?: string }, command: Command) =>
      stoppable(async signal => {
        const following = open().follow(query, { signal })
        for (;;) {
          const { value: event, done } = await withCommandErrors(following.next()).catch(error => {
            if (signal.aborted) return { value: undefined, done: true as const }
            throw error
          })
          if (done || !event) return
          shop.output.write(`${wantsJson(command) ? toJson(event, 0) : lineOf(event)}\n`)
        }
      }),
    )

  return events.addHelpText(
    'after',
    `
Examples:
  animal-store events list --type pet.created --all --json
  animal-store events tail
  animal-store events tail --after 3f2a91bc-42 --json | while read -r event; do ...; done`,
  )
}

export const subjectOf = (event: StoreEvent): string | undefined =>
  'subject' in event ? event.subject : undefined

const lineOf = (event: StoreEvent) =>
  printable(`${event.timestamp}  ${event.id}  ${event.type}  ${subjectOf(event) ?? ''}`).trimEnd()

const showEvents = (events: StoreEvent[]): string =>
  table(
    ['ID', 'TYPE', 'SUBJECT', 'TIME'],
    events.map(event => [event.id, event.type, subjectOf(event), moment(event.timestamp)]),
  )
