import { Command } from 'commander'
import { LimitsDocument, UsageDocument } from './generated/operations.ts'
import { moment, table } from './print.ts'
import { send } from './send.ts'
import type { Shop } from './shop.ts'
import { wholeNumber } from './whole-number.ts'

export function limitsCommand(shop: Shop): Command {
  return new Command('limits')
    .description('show what is left of the request budget, and a ban; free at any fair pace')
    .action(async (_options, command: Command) => {
      const { rateLimit } = await send(shop.connect('owner'), LimitsDocument, {})
      const { plan, ban, minute, day, management } = rateLimit
      const rows = Object.entries({ minute, day, management }).map(([name, window]) => [
        name,
        window.remaining,
        window.limit,
        moment(window.resetAt),
      ])
      const banned = ban ? `\n\nThis key is banned for ${ban.retryAfterSeconds} more seconds.` : ''
      shop.tell(
        command,
        rateLimit,
        `Plan ${plan}\n\n${table(['WINDOW', 'LEFT', 'OF', 'STARTS ANEW'], rows)}${banned}`,
      )
    })
}

export function usageCommand(shop: Shop): Command {
  return new Command('usage')
    .description('show requests and refusals by day and door')
    .option('--days <count>', 'how many days, 1 to 90', wholeNumber, 7)
    .option('--project <slug>', 'the project; an operator names it, a key of the project need not')
    .action(async ({ days, project }: { days: number; project?: string }, command: Command) => {
      const connection = shop.connect(project === undefined ? 'owner' : 'operator')
      const { usage } = (await send(connection, UsageDocument, { days, project: project ?? null })).project
      const rows = [...usage.days.map(day => ({ ...day, name: day.date })), { ...usage, name: 'all' }].map(
        line => [line.name, line.requests, line.refusals, ...line.doors.map(door => door.requests)],
      )
      shop.tell(
        command,
        usage,
        table(['DAY', 'REQUESTS', 'REFUSED', ...usage.doors.map(({ door }) => door.toUpperCase())], rows),
      )
    })
}
