import { Argument, Command } from 'commander'
import type { LeakedKeys } from '../generated/contract.ts'
import type { CommandContext } from './command-context.ts'
import { SetLeakedKeysDocument, ShowLeakedKeysDocument } from './generated/operations.ts'
import { projectIdOf } from './project-id.ts'
import { send } from './send.ts'

/**
 * A `Record` of all values of `LeakedKeys`, so that the compiler reports a value of the contract that is missing here.
 */
const meanings: Record<LeakedKeys, string> = {
  tell: 'A leaked key goes on working.',
  rotate:
    'A leaked key works for another day, and a new key replaces it: rotate the new key to get a secret.',
  revoke_writing: 'A leaked key that may write ends at once. One that only reads goes on working.',
  revoke: 'A leaked key ends at once.',
}
const choices = Object.keys(meanings).map(spell)

export function leakedKeysCommand(shop: CommandContext): Command {
  return new Command('leaked')
    .addArgument(new Argument('[choice]', 'the new choice').choices(choices))
    .description('show or choose what happens to keys that secret scanning finds in public')
    .option('--project <slug>', 'slug of the project; needed only with the key of an operator')
    .action(async (choice: string | undefined, options: { project?: string }, command: Command) => {
      const connection = shop.connectTo(options)
      const project =
        choice === undefined
          ? (await send(connection, ShowLeakedKeysDocument, { project: options.project ?? null })).project
          : (
              await send(connection, SetLeakedKeysDocument, {
                input: { projectId: projectIdOf(options.project), leakedKeys: parse(choice) },
              })
            ).projectSetLeakedKeys.project
      const { leakedKeys } = project
      shop.print(command, { leakedKeys: spell(leakedKeys) }, `${spell(leakedKeys)}: ${meanings[leakedKeys]}`)
    })
}

function spell(choice: string): string {
  return choice.replace('_', '-')
}

function parse(choice: string): LeakedKeys {
  return choice.replace('-', '_') as LeakedKeys
}
