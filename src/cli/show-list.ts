import type { Command } from 'commander'
import type { CallOptions, List } from '../../clients/typescript/src/index.ts'
import { type CommandContext, toJson, wantsJson } from './command-context.ts'
import { Refused } from './exit.ts'
import { withCommandErrors } from './rest-client.ts'
import { wholeNumber } from './whole-number.ts'

export type ListOptions = { limit: number; after?: string; all?: boolean }
type PageOptions = { limit?: number | undefined; cursor?: string | undefined }
type AskPages<Item> = (page: PageOptions, call: CallOptions) => Pages<Item>
type Pages<Item> = Pick<List<Item>, 'pages'>
type Show<Item> = (items: Item[]) => string

/** Longer than the window of a minute's rate limit, because a long list may use up the limit. */
const allDeadlineMs = 120_000

export function addListOptions(command: Command, items: string, item: string): Command {
  return command
    .option('--limit <count>', `${items} on the page, 1 to 100`, wholeNumber, 20)
    .option('--after <cursor>', 'the cursor at the end of the previous page')
    .option('--all', `every page; with --json one ${item} a line`)
}

/** Prints one page of a list, or with `--all` this page and all later ones. */
export async function showList<Item>(
  shop: CommandContext,
  command: Command,
  { limit, after, all }: ListOptions,
  list: AskPages<Item>,
  show: Show<Item>,
): Promise<void> {
  if (all) return showAll(shop, command, list({ cursor: after }, { deadlineMs: allDeadlineMs }), show)
  const pages = list({ limit, cursor: after }, {}).pages()[Symbol.asyncIterator]()
  const { items, nextCursor } = (await withCommandErrors(pages.next(), command)).value
  const more = nextCursor ? `\n\nThere are more: use --all, or --after ${nextCursor}` : ''
  shop.print(command, { items, nextCursor }, show(items) + more)
}

/** Prints page by page, so a million rows need little memory and a closed pipe stops the reading. */
async function showAll<Item>(
  shop: CommandContext,
  command: Command,
  list: Pages<Item>,
  show: Show<Item>,
): Promise<void> {
  const asJson = wantsJson(command)
  const pages = list.pages()[Symbol.asyncIterator]()
  let reached: string | null = null
  for (let first = true; ; first = false) {
    const next = withCommandErrors(pages.next(), command)
    const { value, done } = await next.catch(failure => failAfter(reached, failure))
    if (done) return
    const text = asJson ? value.items.map((item: Item) => toJson(item, 0)).join('\n') : show(value.items)
    const shown = asJson || first ? text : text.split('\n').slice(1).join('\n')
    if (shown !== '' && !shop.output.write(`${shown}\n`)) {
      await new Promise(resolve => shop.output.once('drain', resolve))
    }
    reached = value.nextCursor
  }
}

/** Says how to continue if a page after the first one fails. */
function failAfter(cursor: string | null, failure: unknown): never {
  if (cursor === null || !(failure instanceof Refused)) throw failure
  const { message, exitCode, code, details } = failure
  throw new Refused(`${message} Go on with --all --after ${cursor}`, exitCode, code, details)
}
