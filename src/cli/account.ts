import { Command } from 'commander'
import { type CommandContext, scopeName } from './command-context.ts'
import { exitCodes, Refused } from './exit.ts'
import { CallerDocument, type CallerQuery } from './generated/operations.ts'
import { table } from './print.ts'
import { changeProfiles, readProfiles } from './profiles.ts'
import type { Connection } from './rest-client.ts'
import { send } from './send.ts'

type Caller = NonNullable<CallerQuery['caller']>

export function whoamiCommand(shop: CommandContext): Command {
  return new Command('whoami')
    .description('show which key is used, what it allows, and where it came from')
    .action(async (_options, command: Command) => {
      const connection = await connectAsAnyone(shop)
      const { caller } = await send(connection, CallerDocument, {})
      const { url, keyFrom } = connection
      const rows = [
        ['service', url],
        ['as', whose(caller)],
        ['key', `${caller.keyPrefix ?? "the operator's"}, from ${keyFrom}`],
        ['scopes', caller.operator ? 'all' : caller.scopes.map(scopeName).join(' ')],
      ]
      shop.print(
        command,
        { url, keyFrom, ...caller },
        rows.map(([name = '', value]) => `${name.padEnd(8)} ${value}`).join('\n'),
      )
    })
}

export function profilesCommand(shop: CommandContext): Command {
  const profiles = new Command('profiles').description('the services that login has stored')
  const printAll = (_options: object, command: Command) => {
    const stored = readProfiles(shop.env)
    const list = Object.entries(stored.profiles).map(([name, { url }]) => ({
      name,
      url,
      current: name === stored.current,
    }))
    const rows = list.map(({ name, url, current }) => [name, url, current ? 'in use' : null])
    shop.print(command, list, table(['PROFILE', 'SERVICE', ''], rows))
  }
  profiles.command('list').description('list the stored profiles').action(printAll)
  profiles.allowExcessArguments().action((options: object, command: Command) => {
    const [word] = command.args
    if (word === undefined) return printAll(options, command)
    return command.error(`error: unknown command '${word}'\n(Did you mean one of list, use?)`)
  })
  profiles
    .command('use <name>')
    .description('use this profile from now on')
    .action(async (name: string, _options, command: Command) => {
      await changeProfiles(shop.env, stored => {
        if (Object.hasOwn(stored.profiles, name)) return { ...stored, current: name }
        throw new Refused(`There is no profile ${name}.`, exitCodes.notFound)
      })
      shop.print(command, { current: name }, `The profile in use is ${name} now.`)
    })
  return profiles
}

export function whose({ operator, projectSlug }: Caller): string {
  return operator ? 'the operator' : `the project ${projectSlug}`
}

/** Connects with the project's key, or with the operator's if this machine has no project key. */
function connectAsAnyone(shop: CommandContext): Connection {
  try {
    return shop.connect('owner')
  } catch {
    return shop.connect('operator')
  }
}
