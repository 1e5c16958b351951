import { Command } from 'commander'
import type { CommandContext } from './command-context.ts'
import { type ConnectionOptions, findConnection } from './connection.ts'
import { exitCodeOf, Refused } from './exit.ts'
import { noAnswer } from './no-answer.ts'

const timeoutMs = 30_000

export function reportLeakCommand(shop: CommandContext): Command {
  return new Command('report-leak')
    .argument('<key>', 'the whole key, as it was found')
    .description('revoke a key that you found, whoever owns it; needs no key of your own')
    .action(async (key: string, _options: object, command: Command) => {
      const { url, profile } = command.optsWithGlobals<ConnectionOptions>()
      const options = { key, ...(url && { url }), ...(profile && { profile }) }
      const connection = findConnection(shop.env, options, 'owner')
      const response = await fetch(`${connection.url}/revocations`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ keys: [key] }),
        signal: AbortSignal.timeout(timeoutMs),
      }).catch(failure => {
        throw noAnswer(connection.url, failure)
      })
      const answer = (await response.json().catch(() => ({}))) as { code?: string; message?: string }
      if (!response.ok) {
        const { message = `The service answered with status ${response.status}.`, code } = answer
        throw new Refused(message, exitCodeOf(response.status), code)
      }
      shop.print(command, answer, 'Received. If the key is real, it no longer works.')
    })
}
