import { Command, InvalidArgumentError, Option } from 'commander'
import type { Scope } from '../generated/contract.ts'
import { type CommandContext, scopeName } from './command-context.ts'
import { confirm, yesOption } from './confirm.ts'
import { everyPage } from './every-page.ts'
import { exitCodes, Refused } from './exit.ts'
import {
  BanKeyDocument,
  FindKeyDocument,
  IssueKeyDocument,
  type KeyLineFragment,
  LiftBanDocument,
  ListKeysDocument,
  RenameKeyDocument,
  RevokeKeyDocument,
  RotateKeyDocument,
} from './generated/operations.ts'
import { leakedKeysCommand } from './leaked-keys.ts'
import { moment, table } from './print.ts'
import { processNote } from './process-note.ts'
import { projectIdOf } from './project-id.ts'
import { reportLeakCommand } from './report-leak.ts'
import type { Connection } from './rest-client.ts'
import { send } from './send.ts'
import { timeText } from './time-text.ts'
import { wholeNumber } from './whole-number.ts'

type Options = { project?: string; scopes: Scope[]; expires?: string; overlap?: number }

/** A `Record`, so that the compiler reports a scope of the contract that is missing here. */
const scopes: Record<Scope, true> = {
  pets_read: true,
  pets_write: true,
  orders_read: true,
  orders_write: true,
  events_read: true,
  webhooks_write: true,
  project_read: true,
  project_write: true,
}
const scopeList = Object.keys(scopes).map(scopeName)

export function keysCommand(shop: CommandContext): Command {
  const keys = new Command('keys').description("issue, list, rotate and revoke a project's API keys")
  const withProject = (command: Command) =>
    command.option('--project <slug>', 'slug of the project; needed only with the key of an operator')

  withProject(keys.command('issue <name>'))
    .description('issue a key, and show its secret this once')
    .addOption(
      new Option('--scopes <list>', 'what it allows, separated by commas')
        .argParser(readScopes)
        .default(readScopes('pets:read'), 'pets:read'),
    )
    .option('--expires <time>', 'when it expires, such as 2030-12-31T00:00:00Z', timeText)
    .action(async (name: string, options: Options, command: Command) => {
      const { scopes, expires = null, project } = options
      const input = { name, scopes, expiresAt: expires, projectId: projectIdOf(project) }
      const { apiKeyIssue } = await send(shop.connectTo(options), IssueKeyDocument, { input })
      shop.print(command, apiKeyIssue, showSecret(apiKeyIssue.apiKey, apiKeyIssue.secret))
    })

  withProject(keys.command('list'))
    .description('list the keys, the newest first, with their last use')
    .action(async (options: Options, command: Command) => {
      const found = await listKeys(shop.connectTo(options), options.project ?? null)
      shop.print(command, found, showKeys(found))
    })

  withProject(keys.command('rotate <key>'))
    .description('replace a key, named by its id or prefix, by a new one')
    .option('--overlap <seconds>', 'how long the old secret still works; 0 ends it now', wholeNumber, 86_400)
    .addOption(yesOption())
    .action(async (key: string, options: Options, command: Command) => {
      const connection = shop.connectTo(options)
      const { project = null, overlap = null } = options
      const { id } = await findKey(connection, project, key)
      if (overlap === 0) await confirm(command, `The secret of ${key} ends at once.`)
      const input = { id, overlapSeconds: overlap }
      const { apiKeyRotate } = await send(connection, RotateKeyDocument, { input })
      shop.print(command, apiKeyRotate, showSecret(apiKeyRotate.apiKey, apiKeyRotate.secret))
    })

  withProject(keys.command('revoke <key>'))
    .description('revoke a key, named by its id or prefix, for good')
    .addOption(yesOption())
    .action(async (key: string, options: Options, command: Command) => {
      const connection = shop.connectTo(options)
      const { id, current } = await findKey(connection, options.project ?? null, key)
      const own = current ? ' This command itself uses this key.' : ''
      await confirm(command, `A revoked key never works again.${own}`)
      const { apiKey } = (await send(connection, RevokeKeyDocument, { input: { id } })).apiKeyRevoke
      const now = current
        ? `\n\nThis was the key that you are using (from ${connection.keyFrom}). The next command needs another.`
        : ''
      shop.print(command, apiKey, showKeys([apiKey]) + now)
    })

  withProject(keys.command('rename <key> <name>'))
    .description('give a key another name')
    .action(async (key: string, name: string, options: Options, command: Command) => {
      const connection = shop.connectTo(options)
      const { id } = await findKey(connection, options.project ?? null, key)
      const { apiKey } = (await send(connection, RenameKeyDocument, { input: { id, name } })).apiKeyRename
      shop.print(command, apiKey, showKeys([apiKey]))
    })

  keys.addCommand(reportLeakCommand(shop))
  keys.addCommand(leakedKeysCommand(shop))

  const forOperator = (command: Command) =>
    command.requiredOption('--project <slug>', 'the project that owns the key')

  forOperator(keys.command('ban <key>'))
    .description('refuse a key for a time, as the operator of the service')
    .requiredOption('--seconds <count>', 'for how long, up to 2592000 (30 days)', wholeNumber)
    .action(async (key: string, options: { project: string; seconds: number }, command: Command) => {
      const connection = shop.connect('operator')
      const { id } = await findKey(connection, options.project, key)
      const input = { id, seconds: options.seconds }
      const { apiKeyBan } = await send(connection, BanKeyDocument, { input })
      const { apiKey, ban, inAllProcesses } = apiKeyBan
      const text = `Banned until ${moment(ban.endsAt)}: ${apiKey.prefix} (${apiKey.name}).`
      shop.print(command, apiKeyBan, text + processNote(inAllProcesses))
    })

  forOperator(keys.command('lift-ban <key>'))
    .description('let a banned key work again, as the operator of the service')
    .action(async (key: string, options: { project: string }, command: Command) => {
      const connection = shop.connect('operator')
      const { id } = await findKey(connection, options.project, key)
      const { apiKeyLiftBan } = await send(connection, LiftBanDocument, { input: { id } })
      const { apiKey, wasBanned, inAllProcesses } = apiKeyLiftBan
      const text = `${wasBanned ? 'Not banned any more' : 'Was not banned'}: ${apiKey.prefix} (${apiKey.name}).`
      shop.print(command, apiKeyLiftBan, text + processNote(inAllProcesses))
    })

  return keys.addHelpText(
    'after',
    `
Examples:
  animal-store keys issue "Web shop" --scopes pets:read,pets:write --expires 2030-12-31T00:00:00Z
  animal-store keys list --json
  animal-store keys rotate as_4fTq8ZxW --overlap 3600
  animal-store keys rename as_4fTq8ZxW "Web shop, Berlin"
  animal-store keys revoke as_4fTq8ZxW --yes
  animal-store keys report-leak as_...
  animal-store keys leaked rotate
  animal-store keys ban as_4fTq8ZxW --project corner-shop --seconds 3600
  animal-store keys lift-ban as_4fTq8ZxW --project corner-shop`,
  )
}

async function listKeys(connection: Connection, project: string | null): Promise<KeyLineFragment[]> {
  return everyPage(async after => {
    const { project: found } = await send(connection, ListKeysDocument, { project, after })
    return found.apiKeys
  })
}

type Named = Pick<KeyLineFragment, 'id' | 'current'>

/** Lists the keys with only the fields that identify them. */
const keyNames = (connection: Connection, project: string | null) =>
  everyPage(async after => (await send(connection, FindKeyDocument, { project, after })).project.apiKeys)

/** Finds a key by its prefix or its id. Events and usage show the id without `key_`. */
async function findKey(connection: Connection, project: string | null, key: string): Promise<Named> {
  const all = await keyNames(connection, project)
  const wanted = /^[\da-f-]{36}$/.test(key) ? `key_${key}` : key
  if (!key.startsWith('as_')) return all.find(({ id }) => id === wanted) ?? { id: wanted, current: false }
  const [found, second] = all.filter(({ prefix }) => prefix === key)
  if (found && !second) return found
  const problem = found ? 'several keys have' : 'no key has'
  throw new Refused(
    `In this project ${problem} the prefix ${key}.`,
    found ? exitCodes.conflict : exitCodes.notFound,
  )
}

function readScopes(list: string): Scope[] {
  return list.split(',').map(name => {
    if (!scopeList.includes(name.trim()))
      throw new InvalidArgumentError(`Scopes are ${scopeList.join(', ')}.`)
    return name.trim().replace(':', '_') as Scope
  })
}

function showSecret(key: KeyLineFragment, secret: string): string {
  return `${showKeys([key])}\n\nIts secret, shown this once:\n\n  ${secret}`
}

function showKeys(keys: KeyLineFragment[]): string {
  const rows = keys.map(key => [
    key.prefix,
    key.name,
    key.state +
      (key.ban ? `, banned until ${moment(key.ban.endsAt)}` : '') +
      (key.current ? ' (this one)' : ''),
    key.scopes.map(scopeName).join(' '),
    moment(key.lastUsedAt),
    moment(key.expiresAt),
    key.deprecatedUse.map(({ field, count }) => `${field} ${count}`).join(', ') || '-',
    key.id,
  ])
  return table(['KEY', 'NAME', 'STATE', 'SCOPES', 'LAST USED', 'EXPIRES', 'DEPRECATED CALLS', 'ID'], rows)
}
