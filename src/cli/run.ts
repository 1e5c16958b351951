import { Command, CommanderError } from 'commander'
import { profilesCommand, whoamiCommand } from './account.ts'
import { activityCommand } from './activity.ts'
import { limitsCommand } from './budget.ts'
import { categoriesCommand } from './categories.ts'
import { certificatesCommand } from './certificates.ts'
import { openCommandContext } from './command-context.ts'
import { completeCommand, completionCommand } from './completion.ts'
import { deployCommand, deploysCommand, rollbackCommand } from './deploys.ts'
import { domainsCommand } from './domains.ts'
import { eventsCommand } from './events.ts'
import { type ExitCode, exitCodes, exitCodesHelp, Refused } from './exit.ts'
import { keysCommand } from './keys.ts'
import { loginCommand, logoutCommand } from './login.ts'
import { mcpCommand } from './mcp.ts'
import { operatorsCommand } from './operators.ts'
import { ordersCommand } from './orders.ts'
import type { Output } from './output.ts'
import { petsCommand } from './pets.ts'
import { printableLines } from './printable.ts'
import type { Environment } from './profiles.ts'
import { projectsCommand } from './projects.ts'
import { useProxy } from './proxy.ts'
import { usageCommand } from './usage.ts'
import { version } from './version.ts'
import { webhooksCommand } from './webhooks.ts'

const examples = `
Examples:
  animal-store login --url https://store.example
  animal-store pets list --status available
  animal-store pets add "Biscuit" --category 1
  animal-store categories set 1 "Dogs"
  animal-store orders place 12 --reference web-1042
  animal-store events tail
  animal-store webhooks listen --forward-to localhost:3000
  animal-store keys issue "Web shop" --scopes pets:read,pets:write
  animal-store keys rotate as_4fTq8ZxW --overlap 3600
  animal-store limits --json
  animal-store usage --hours 24 --by key
  animal-store usage --from 2026-11-01 --to 2026-11-30 --csv
  animal-store deploy animal-store.json
  animal-store domains add www.example.com
  animal-store projects create corner-shop --plan pro
${exitCodesHelp}

The address of the service and the key come from --url and --key, else from ANIMAL_STORE_URL and ANIMAL_STORE_KEY, else
from the profile that login stored, else from DATA_DIR/credentials.json, which the service of this folder writes.

"animal-store migrate" is for operators: it reads the service's own settings and migrates its database to this version.
"animal-store move --to postgresql://..." copies all data of the embedded database in DATA_DIR to an empty PostgreSQL.`

/** Runs the command and returns its exit code. */
export async function run(args: string[], env: Environment, output: Output): Promise<ExitCode> {
  const program = new Command('animal-store')
  const shop = openCommandContext(env, () => program.opts(), output)
  program
    .description(
      'A client of the Animal Store: pets, categories, orders, API keys, limits, domains and projects from the command line.',
    )
    .option('--json', 'print data for programs instead of tables for people')
    .option('--url <address>', 'where the service is')
    .option('--key <key>', 'the API key to use')
    .option('--profile <name>', 'a profile that login has stored')
    .version(version)
    .addHelpText('after', examples)
    .hook('preAction', () => useProxy(env))
  for (const make of [
    petsCommand,
    categoriesCommand,
    ordersCommand,
    eventsCommand,
    webhooksCommand,
    keysCommand,
    limitsCommand,
    usageCommand,
    activityCommand,
    deployCommand,
    deploysCommand,
    rollbackCommand,
    domainsCommand,
    certificatesCommand,
    projectsCommand,
    operatorsCommand,
    loginCommand,
    logoutCommand,
    whoamiCommand,
    profilesCommand,
    mcpCommand,
    completionCommand,
  ])
    program.addCommand(make(shop))
  program.addCommand(completeCommand(program, shop), { hidden: true })
  const asJson = args.includes('--json')
  throwInsteadOfExit(program, asJson, output)

  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCodes.done
  } catch (error) {
    const refused = toRefused(error)
    if (refused.exitCode !== exitCodes.done && (asJson || error instanceof Refused))
      printRefusal(refused, asJson)
    return refused.exitCode
  }
}

export function printRefusal({ code, message, details }: Refused, asJson: boolean): void {
  const text = asJson ? JSON.stringify({ code, message, details }) : printableLines(message)
  process.stderr.write(`${text}\n`)
}

/** Commander has printed its message already. `--help` is not an error. */
function toRefused(error: unknown): Refused {
  if (error instanceof Refused) return error
  if (!(error instanceof CommanderError)) throw error
  const exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.wrongInput
  if (error.code === 'commander.help') return new Refused('Name a command; see --help.', exitCode)
  return new Refused(error.message.replace(/^error: /, ''), exitCode)
}

/**
 * Makes Commander throw its errors instead of ending the process, and write help to `output`. With `--json`, also
 * suppresses its messages, so that a program gets only JSON.
 */
function throwInsteadOfExit(command: Command, asJson: boolean, output: Output): void {
  command.exitOverride()
  command.configureOutput({ writeOut: text => output.write(text) })
  if (asJson) command.configureOutput({ writeErr: () => {} })
  else {
    command.showHelpAfterError('(add --help for what is possible)')
    const names = command.commands.map(one => one.name())
    // Escape control characters, because Commander quotes the arguments, which may contain some.
    command.configureOutput({ outputError: (text, write) => write(printableLines(withSynonym(text, names))) })
  }
  for (const one of command.commands) throwInsteadOfExit(one, asJson, output)
}

/** Names that other command lines use for these commands. Commander suggests only names with similar letters. */
const synonyms = [
  ['show', 'get', 'view', 'describe', 'info', 'read', 'find'],
  ['list', 'ls', 'all', 'index'],
  ['add', 'create', 'new', 'insert', 'issue', 'place', 'set'],
  ['remove', 'delete', 'rm', 'del', 'destroy', 'revoke', 'cancel'],
  ['update', 'edit', 'change', 'modify', 'patch', 'rename', 'set'],
  ['export', 'download', 'dump', 'save'],
  ['import', 'upload', 'load'],
  ['verify', 'check'],
]

function withSynonym(text: string, names: string[]): string {
  const [, word] = /unknown command '([^']*)'/.exec(text) ?? []
  if (word === undefined) return text
  const meant = synonyms
    .filter(group => group.includes(word))
    .flatMap(group => names.find(name => group.includes(name)) ?? [])
  return meant[0]
    ? `${text.replace(/\n\(Did you mean .*/, '').trimEnd()}\n(Did you mean ${meant[0]}?)\n`
    : text
}
