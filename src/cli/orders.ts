import { Command, Option } from 'commander'
import type { Order, OrderStatus } from '../../clients/typescript/src/index.ts'
import type { CommandContext } from './command-context.ts'
import { moment, table } from './print.ts'
import { printableLines } from './printable.ts'
import { openRestClient, withCommandErrors } from './rest-client.ts'
import { addListOptions, type ListOptions, showList } from './show-list.ts'
import { exactNumber } from './whole-number.ts'

const statuses: OrderStatus[] = ['placed', 'approved', 'delivered', 'cancelled']
const acts = {
  approve: 'approve a placed order',
  deliver: 'deliver an approved order: its pet is sold',
  cancel: 'cancel a placed or approved order: its pet gets back the status that it had',
}

type Filters = ListOptions & { status?: OrderStatus; pet?: bigint; reference?: string; search?: string } & {
  placedFrom?: string
  placedBefore?: string
}
type PlaceOptions = { reference?: string; note?: string; idempotencyKey?: string }

export function ordersCommand(shop: CommandContext): Command {
  const orders = new Command('orders').description('sell pets: place, approve, deliver and cancel orders')
  const open = () => openRestClient(shop.connect('owner')).orders

  addListOptions(orders.command('list'), 'orders', 'order')
    .description('list orders, the newest first')
    .addOption(new Option('--status <status>', 'only orders with this status').choices(statuses))
    .option('--pet <pet>', 'only orders of this pet', exactNumber)
    .option('--reference <text>', 'only the order with this reference')
    .option('--search <part>', 'only orders with this in their reference or in the name of their pet')
    .option('--placed-from <time>', 'only orders placed at this time or later, such as 2026-11-01T00:00:00Z')
    .option('--placed-before <time>', 'only orders placed before this time')
    .action(async ({ limit, after, all, pet, ...given }: Filters, command: Command) => {
      const [options, filter] = [
        { limit, after, all },
        { ...given, petId: pet },
      ]
      await showList(
        shop,
        command,
        options,
        (page, call) => open().list({ ...filter, ...page }, call),
        showOrders,
      )
    })

  orders
    .command('show')
    .argument('<order>', 'its id', exactNumber)
    .description('show one order')
    .action(async (id: bigint, _options: object, command: Command) =>
      print(command, await withCommandErrors(open().get(id))),
    )

  orders
    .command('place')
    .argument('<pet>', 'the id of the pet', exactNumber)
    .description('order a pet that is available or has no status; the pet becomes pending')
    .option('--reference <text>', 'a name of your own for the order, unique in the project')
    .option('--note <text>', 'a note about the order')
    .option('--idempotency-key <key>', 'repeating the command under the same key places it only once')
    .action(async (petId: bigint, { reference, note, idempotencyKey }: PlaceOptions, command: Command) =>
      print(command, await withCommandErrors(open().place({ petId, reference, note }, { idempotencyKey }))),
    )

  for (const act of ['approve', 'deliver', 'cancel'] as const) {
    orders
      .command(act)
      .argument('<order>', 'its id', exactNumber)
      .description(acts[act])
      .action(async (id: bigint, _options: object, command: Command) =>
        print(command, await withCommandErrors(open()[act](id))),
      )
  }

  return orders.addHelpText(
    'after',
    `
Examples:
  animal-store orders place 12 --reference web-1042
  animal-store orders list --status placed
  animal-store orders list --all --json | wc -l
  animal-store orders approve 7`,
  )

  function print(command: Command, order: Order): void {
    shop.print(command, order, showOrders([order]) + (order.note ? `\n\n${printableLines(order.note)}` : ''))
  }
}

function showOrders(orders: Order[]): string {
  const rows = orders.map(order => [
    order.id,
    order.status,
    order.petId,
    order.petName,
    order.categoryId,
    order.reference,
    moment(order.placedAt),
  ])
  return table(['ORDER', 'STATUS', 'PET', 'NAME', 'CATEGORY', 'REFERENCE', 'PLACED'], rows)
}
