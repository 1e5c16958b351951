import { Command, Option } from 'commander'
import type { Webhook, WebhookDelivery, WebhookWithSecret } from '../../clients/typescript/src/index.ts'
import type { CommandContext } from './command-context.ts'
import { confirm, yesOption } from './confirm.ts'
import { exitCodes, Refused } from './exit.ts'
import { listenCommand } from './listen.ts'
import { moment, table } from './print.ts'
import { printableLines } from './printable.ts'
import { openRestClient, withCommandErrors } from './rest-client.ts'
import { exactNumber } from './whole-number.ts'

type Given = { type?: string[]; description?: string }
type Change = Given & { address?: string; enable?: true; disable?: true }
const listOf = (text: string) => text.split(',').filter(Boolean)

export function webhooksCommand(shop: CommandContext): Command {
  const webhooks = new Command('webhooks').description('addresses that receive the events of the store')
  const open = () => openRestClient(shop.connect('owner')).webhooks
  const one = (name: string, description: string) =>
    webhooks.command(name).argument('<webhook>', 'its id').description(description)
  const show = (command: Command, webhook: Webhook) => shop.print(command, webhook, showWebhooks([webhook]))
  const showSecret = (command: Command, webhook: WebhookWithSecret) =>
    shop.print(command, webhook, `${showWebhooks([webhook])}\n\nSecret, shown only now: ${webhook.secret}`)

  webhooks
    .command('list')
    .description('list the endpoints')
    .action(async (_options: object, command: Command) => {
      const found = await withCommandErrors(open().list())
      shop.print(command, { items: found }, showWebhooks(found))
    })

  webhooks
    .command('add')
    .argument('<url>', 'the https address')
    .description('add an endpoint, which gets all events from now on')
    .option('--type <types>', 'only events of these types, such as pet.created,order.placed', listOf)
    .option('--description <text>', 'what it is for')
    .action(async (url: string, { type: types, description }: Given, command: Command) =>
      showSecret(
        command,
        await withCommandErrors(
          open().add({ url, ...(types && { types }), ...(description && { description }) }),
        ),
      ),
    )

  one('show', 'show one endpoint').action(async (id: string, _options: object, command: Command) =>
    show(command, await withCommandErrors(open().get(id))),
  )

  one('change', 'change an endpoint; --enable sends the events that did not arrive')
    .option('--address <url>', 'another https address')
    .option('--type <types>', 'only events of these types; "" for all', listOf)
    .option('--description <text>', 'what it is for')
    .addOption(
      new Option('--enable', 'send events again, first those that did not arrive').conflicts('disable'),
    )
    .option('--disable', 'pause the endpoint; --enable sends the events since then')
    .action(async (id: string, { address, type, enable, disable, ...rest }: Change, command: Command) => {
      const enabled = enable ? { enabled: true } : disable ? { enabled: false } : {}
      const url = address === undefined ? {} : { url: address }
      const change = { ...rest, ...url, ...(type && { types: type }), ...enabled }
      if (Object.keys(change).length === 0) {
        const options = '--address, --type, --description, --enable and --disable'
        throw new Refused(`Give at least one of ${options}.`, exitCodes.wrongInput)
      }
      show(command, await withCommandErrors(open().change(id, change)))
    })

  one('rotate', 'make a new secret; for one more day, events are also signed with the old one').action(
    async (id: string, _options: object, command: Command) =>
      showSecret(command, await withCommandErrors(open().rotateSecret(id))),
  )

  one('test', 'send a test event now, and show the answer').action(
    async (id: string, _options: object, command: Command) => {
      const { status, ms, answer, problem } = await withCommandErrors(open().test(id))
      const text =
        problem ?? `The endpoint answered ${status} in ${ms} ms.${answer && `\n\n${printableLines(answer)}`}`
      shop.print(command, { status, ms, answer, problem }, text)
      if (problem !== undefined) throw new Refused('The endpoint gave no answer.', exitCodes.failed)
    },
  )

  one('deliveries', 'list the last attempts to send events, the newest first').action(
    async (id: string, _options: object, command: Command) => {
      const pages = open().deliveries(id).pages()[Symbol.asyncIterator]()
      const { items } = (await withCommandErrors(pages.next())).value
      shop.print(command, { items }, showDeliveries(items))
    },
  )

  one('redeliver', 'send one event again')
    .argument('<event>', 'its number', exactNumber)
    .action(async (id: string, event: bigint, _options: object, command: Command) => {
      await withCommandErrors(open().redeliver(id, event))
      shop.print(command, { event }, `Event ${event} is sent in a moment.`)
    })

  one('rewind', 'send again all events after a number, or since a time')
    .argument('[number]', 'the number; 0 for all that are kept', exactNumber)
    .option('--since <time>', 'the time of the first event, such as 2026-11-01T00:00:00Z')
    .action(
      async (id: string, after: bigint | undefined, { since }: { since?: string }, command: Command) => {
        if ((after === undefined) === (since === undefined))
          throw new Refused('Give either a number or --since.', exitCodes.wrongInput)
        show(command, await withCommandErrors(open().rewind(id, since ?? after ?? 0n)))
      },
    )

  one('remove', 'remove an endpoint')
    .alias('delete')
    .addOption(yesOption())
    .action(async (id: string, _options: object, command: Command) => {
      await confirm(command, `The endpoint ${id} will get no more events.`)
      await withCommandErrors(open().remove(id))
      shop.print(command, { id }, `Endpoint ${id} is gone.`)
    })

  return webhooks.addCommand(listenCommand(shop)).addHelpText(
    'after',
    `
Examples:
  animal-store webhooks add https://shop.example.com/hooks --type order.placed
  animal-store webhooks listen --forward-to localhost:3000/hooks
  animal-store webhooks rewind 0199f1c2-7a3b-7c4d-9e5f-6a7b8c9d0e1f 40
  animal-store webhooks rewind 0199f1c2-7a3b-7c4d-9e5f-6a7b8c9d0e1f --since 2026-11-01T00:00:00Z`,
  )
}

const showWebhooks = (webhooks: Webhook[]): string =>
  table(
    ['ID', 'URL', 'STATE', 'TYPES', 'DELIVERED'],
    webhooks.map(({ id, url, enabled, disabledAt, types, delivered }) => [
      ...[id, url, disabledAt ? 'disabled' : enabled ? 'active' : 'off', types.join(',') || 'all', delivered],
    ]),
  )

const showDeliveries = (deliveries: WebhookDelivery[]): string =>
  table(
    ['EVENT', 'TYPE', 'SENT', 'STATUS', 'MS'],
    deliveries.map(({ event, type, at, status, problem, ms }) => [
      ...[event, type, moment(at), status ?? problem, ms],
    ]),
  )
