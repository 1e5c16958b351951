import { Command, Option } from 'commander'
import type { CommandContext } from './command-context.ts'
import { UsageDocument, type UsageQuery } from './generated/operations.ts'
import { moment, table } from './print.ts'
import { send } from './send.ts'
import { wholeNumber } from './whole-number.ts'

type Usage = NonNullable<UsageQuery['project']>['usage']
type Counted = Pick<Usage, 'requests' | 'refusals' | 'served' | 'faulty' | 'failed'>
type By = 'time' | 'door' | 'key'
type Options = { days: number; hours?: number; by: By; project?: string }

export function usageCommand(shop: CommandContext): Command {
  return new Command('usage')
    .description('show requests and what became of them, by day or hour, door, or key')
    .option('--days <count>', 'the last days, 1 to 90', wholeNumber, 7)
    .option('--hours <count>', 'the last hours in place of days, 1 to 48', wholeNumber)
    .addOption(
      new Option('--by <what>', 'a line for each of these').choices(['time', 'door', 'key']).default('time'),
    )
    .option('--project <slug>', 'the project; an operator names it, a key of the project need not')
    .action(async (options: Options, command: Command) => {
      const { days, hours, by, project } = options
      const variables = { days, hours: hours ?? null, project: project ?? null }
      const { usage } = (await send(shop.connectTo(options), UsageDocument, variables)).project
      const { heads, rows } = linesOf(usage, by)
      const all = ['all', ...heads.slice(1).map(() => ''), ...countsOf(usage)]
      shop.print(command, usage, table([...heads, ...columns], [...rows, all]))
    })
}

const columns = ['REQUESTS', 'SERVED', 'FAULTY', 'FAILED', 'REFUSED']

const countsOf = (of: Counted) => [of.requests, of.served, of.faulty, of.failed, of.refusals]

function linesOf({ days, hours, doors, keys }: Usage, by: By) {
  switch (by) {
    case 'door':
      return { heads: ['DOOR'], rows: doors.map(each => [each.door, ...countsOf(each)]) }
    case 'key':
      return {
        heads: ['KEY', 'NAME'],
        rows: keys.map(each => [each.key.prefix, each.key.name, ...countsOf(each)]),
      }
    case 'time':
      return hours.length > 0
        ? { heads: ['HOUR'], rows: hours.map(each => [moment(each.at), ...countsOf(each)]) }
        : { heads: ['DAY'], rows: days.map(each => [each.date, ...countsOf(each)]) }
  }
}
