import { Command, Option } from 'commander'
import type { CommandContext } from './command-context.ts'
import { UsageDocument, type UsageQuery } from './generated/operations.ts'
import { moment, table } from './print.ts'
import { send } from './send.ts'
import { countHeadings, type ReportOptions, readUsageReport, toCsv, toTable } from './usage-report.ts'
import { wholeNumber } from './whole-number.ts'

type Usage = NonNullable<UsageQuery['project']>['usage']
type Counted = Pick<Usage, 'requests' | 'refusals' | 'served' | 'faulty' | 'failed'>
type By = 'time' | 'day' | 'door' | 'key'
type Options = ReportOptions & { days: number; hours?: number; by: By; project?: string }

export function usageCommand(shop: CommandContext): Command {
  return new Command('usage')
    .description('show requests and their results, by day or hour, by API, or by key')
    .option('--days <count>', 'the last days, 1 to 90', wholeNumber, 7)
    .option('--hours <count>', 'the last hours, 1 to 48, instead of days', wholeNumber)
    .addOption(
      new Option('--by <what>', 'the unit of each line; a door is an API: rest, graphql or mcp')
        .choices(['time', 'day', 'door', 'key'])
        .default('time'),
    )
    .addOption(
      billed(new Option('--from <day>', 'the first day, such as 2026-11-01; prints the usage for billing')),
    )
    .addOption(billed(new Option('--to <day>', 'the last day')))
    .addOption(billed(new Option('--csv', 'print CSV, by default of the last 30 days')))
    .option('--project <slug>', 'slug of the project; needed only with the key of an operator')
    .action(async (options: Options, command: Command) => {
      const { days, hours, by, project, csv } = options
      if (csv || options.from !== undefined || options.to !== undefined) {
        const grouping = by === 'time' ? 'day' : by
        const rows = await readUsageReport(shop.connect('owner'), options, grouping)
        return shop.print(command, rows, csv ? toCsv(rows, grouping) : toTable(rows, grouping))
      }
      const variables = { days, hours: hours ?? null, project: project ?? null }
      const { usage } = (await send(shop.connectTo(options), UsageDocument, variables)).project
      const { heads, rows } = linesOf(usage, by)
      const all = ['all', ...heads.slice(1).map(() => ''), ...countsOf(usage)]
      shop.print(command, usage, table([...heads, ...countHeadings], [...rows, all]))
    })
}

/**
 * Makes an option of the billing report conflict with `--days`, `--hours` and `--project`, because the billing report
 * counts whole days of the key's own project.
 */
const billed = (option: Option) => option.conflicts(['days', 'hours', 'project'])

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
    case 'day':
      return hours.length > 0
        ? { heads: ['HOUR'], rows: hours.map(each => [moment(each.at), ...countsOf(each)]) }
        : { heads: ['DAY'], rows: days.map(each => [each.date, ...countsOf(each)]) }
  }
}
