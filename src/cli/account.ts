import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Command } from 'commander'
import { type CommandContext, scopeName } from './command-context.ts'
import type { ConnectionOptions } from './connection.ts'
import { exitCodes, Refused } from './exit.ts'
import { CallerDocument, type CallerQuery } from './generated/operations.ts'
import { table } from './print.ts'
import { profilesFile, readProfiles, writeProfiles } from './profiles.ts'
import { type Connection, requireUsable } from './rest-client.ts'
import { send } from './send.ts'

type Caller = NonNullable<CallerQuery['caller']>

const nameless = 'default'

export function loginCommand(shop: CommandContext): Command {
  return new Command('login')
    .description('keep the address and key of a service, so that no command needs them again')
    .action(async (_options, command: Command) => {
      const given = command.optsWithGlobals<ConnectionOptions>()
      const name = given.profile ?? nameless
      const url = (given.url ?? shop.env.ANIMAL_STORE_URL ?? 'http://localhost:4000').replace(/\/+$/, '')
      const key = (given.key ?? (await askForKey(url))).trim()
      if (!key) throw new Refused('No key was given.', exitCodes.wrongInput)
      const urlFrom = given.url ? '--url' : 'ANIMAL_STORE_URL'
      const keyFrom = given.key ? '--key' : 'the standard input'
      const { caller } = await send(requireUsable({ url, urlFrom, key, keyFrom }), CallerDocument, {})
      const { profiles } = readProfiles(shop.env)
      writeProfiles(shop.env, { current: name, profiles: { ...profiles, [name]: { url, key } } })
      const data = { profile: name, url, ...caller }
      shop.print(command, data, `Signed in at ${url} as ${whose(caller)}. Kept in ${profilesFile(shop.env)}.`)
    })
    .addHelpText(
      'after',
      `
Examples:
  animal-store login --url https://store.example
  animal-store login --url https://staging.example --profile staging
  animal-store --profile staging pets list
  animal-store login < key.txt`,
    )
}

export function logoutCommand(shop: CommandContext): Command {
  return new Command('logout').description('forget what login kept').action((_options, command: Command) => {
    const stored = readProfiles(shop.env)
    const name = command.optsWithGlobals<ConnectionOptions>().profile ?? stored.current
    if (name === null || !Object.hasOwn(stored.profiles, name)) {
      throw new Refused('You are not signed in.', exitCodes.notFound)
    }
    const { [name]: _, ...profiles } = stored.profiles
    const current = stored.current === name ? (Object.keys(profiles)[0] ?? null) : stored.current
    writeProfiles(shop.env, { current, profiles })
    const now = current ? ` The profile in use is ${current} now.` : ''
    shop.print(
      command,
      { forgotten: name, current },
      `Forgot the profile ${name}; the key itself still works.${now}`,
    )
  })
}

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
  const profiles = new Command('profiles').description('the services that login has kept')
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
  profiles.command('list').description('list them').action(printAll)
  profiles.allowExcessArguments().action((options: object, command: Command) => {
    const [word] = command.args
    if (word === undefined) return printAll(options, command)
    return command.error(`error: unknown command '${word}'\n(Did you mean one of list, use?)`)
  })
  profiles
    .command('use <name>')
    .description('use this one from now on')
    .action((name: string, _options, command: Command) => {
      const stored = readProfiles(shop.env)
      if (!Object.hasOwn(stored.profiles, name))
        throw new Refused(`There is no profile ${name}.`, exitCodes.notFound)
      writeProfiles(shop.env, { ...stored, current: name })
      shop.print(command, { current: name }, `The profile in use is ${name} now.`)
    })
  return profiles
}

function whose({ operator, projectSlug }: Caller): string {
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

/** Reads the key without echo, or from a pipe. */
async function askForKey(url: string): Promise<string> {
  if (!process.stdin.isTTY) return text(process.stdin)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const asking = createInterface({ input: process.stdin, output: silent, terminal: true })
  // Print the prompt only after echo is off, for people who type quickly.
  process.stderr.write(`API key for ${url}: `)
  const key = await asking.question('')
  asking.close()
  process.stderr.write('\n')
  return key
}
