import { Command } from 'commander'
import type { CommandContext } from './command-context.ts'
import { LimitsDocument } from './generated/operations.ts'
import { moment, table } from './print.ts'
import { send } from './send.ts'

export function limitsCommand(shop: CommandContext): Command {
  return new Command('limits')
    .description('show how many requests are left, and whether the key is banned; costs no request')
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
      shop.print(
        command,
        rateLimit,
        `Plan ${plan}\n\n${table(['WINDOW', 'LEFT', 'OF', 'RESETS'], rows)}${banned}`,
      )
    })
}
