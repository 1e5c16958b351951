import { hostname } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Command } from 'commander'
import { whose } from './account.ts'
import { askLine } from './ask-line.ts'
import { type CommandContext, toJson, wantsJson } from './command-context.ts'
import { type ConnectionOptions, findAddress, nameless, requireGiven } from './connection.ts'
import { askForCode, endKey, type ShownCode, waitForKey } from './device-flow.ts'
import { exitCodes, Refused } from './exit.ts'
import { CallerDocument } from './generated/operations.ts'
import { moment } from './print.ts'
import { printableLines } from './printable.ts'
import { changeProfiles, type Environment, type Profile, profilesFile, readProfiles } from './profiles.ts'
import { type Connection, requireUsable } from './rest-client.ts'
import { send } from './send.ts'

const noteAfterMs = 1_000

type LoginOptions = ConnectionOptions & { withKey?: boolean }

export function loginCommand(shop: CommandContext): Command {
  return new Command('login')
    .description('sign in by a code that you type in the dashboard, and store the key that this machine gets')
    .option('--with-key', 'ask for an API key instead')
    .action(async (_options, command: Command) => {
      const given = command.optsWithGlobals<LoginOptions>()
      requireGiven(given)
      const name = given.profile ?? nameless
      // Refuses a damaged profiles file now, before a person approves the sign-in.
      const { url, urlFrom } = findAddress(shop.env, given)
      const typed = (given.key ?? (await readKey(url, given, command))).trim()
      if (!typed && (given.key !== undefined || given.withKey))
        throw new Refused('No key was given.', exitCodes.wrongInput)
      const keyFrom = given.key ? '--key' : 'the standard input'
      // Check the address before asking the service for a code, so that `login` refuses a wrong address in the same
      // words as every other command. The key `as_` is a placeholder for the key that the sign-in will bring.
      requireUsable({ url, urlFrom, key: typed || 'as_', keyFrom })
      const kept: Profile = typed ? { url, key: typed } : await signInByCode(url, command)
      const { caller, former } = await keep(shop.env, name, kept, { urlFrom, keyFrom }).catch(failure =>
        endLost(kept, failure),
      )
      // End the machine's former key, which would otherwise stay valid for up to 90 days.
      if (former?.expiresAt && former.key !== kept.key) await endKey(former).catch(() => {})
      const { expiresAt } = kept
      const data = { profile: name, url, ...caller, ...(expiresAt && { expiresAt }) }
      const until = expiresAt ? `, until ${moment(expiresAt)}` : ''
      shop.print(
        command,
        data,
        `Signed in at ${url} as ${whose(caller)}${until}. Stored in ${profilesFile(shop.env)}.`,
      )
    })
    .addHelpText(
      'after',
      `
Examples:
  animal-store login --url https://store.example
  animal-store login --url https://staging.example --profile staging
  animal-store --profile staging pets list
  animal-store login --with-key
  animal-store login < key.txt
  ssh server animal-store login < /dev/null`,
    )
}

/** Checks the key and stores it as a profile. Returns the caller of the key and the profile that was replaced. */
async function keep(
  env: Environment,
  name: string,
  kept: Profile,
  from: Pick<Connection, 'urlFrom' | 'keyFrom'>,
) {
  const { caller } = await send({ ...kept, ...from }, CallerDocument, {})
  const { before } = await changeProfiles(env, ({ profiles }) => ({
    current: name,
    profiles: { ...profiles, [name]: kept },
  }))
  return { caller, former: before.profiles[name] }
}

/**
 * Ends a key that was issued by a code but could not be stored. Otherwise the unused key would stay valid for up to 90
 * days.
 */
async function endLost(kept: Profile, failure: unknown): Promise<never> {
  if (kept.expiresAt === undefined || !(failure instanceof Refused)) throw failure
  const { message, exitCode, code, details } = failure
  const state = await endKey(kept).then(
    () => 'The new key was ended.',
    () => 'The new key still works: end it in the dashboard, under Your profile.',
  )
  throw new Refused(`${message} ${state}`, exitCode, code, details)
}

/** Asks for a code, shows it, and waits until a person has typed it in the dashboard. */
async function signInByCode(url: string, command: Command): Promise<Profile> {
  // The service refuses a machine name that has control characters or more than 60 characters.
  const machine =
    hostname()
      .replaceAll(/\p{Cc}/gu, '')
      .slice(0, 60) || 'a terminal'
  const asked = await askForCode(url, machine)
  const words = wantsJson(command) ? toJson(asked.shown, 0) : printableLines(wordsFor(asked.shown))
  process.stderr.write(`${words}\n`)
  const { key, expiresAt } = await waitForKey(url, asked)
  return { url, key, expiresAt }
}

const wordsFor = ({ userCode, page, pageWithCode, expiresInSeconds }: ShownCode) =>
  `Open ${page}
and type the code ${userCode}

or open ${pageWithCode}

Waiting up to ${Math.round(expiresInSeconds / 60)} minutes for a member of the project to approve it ...`

export function logoutCommand(shop: CommandContext): Command {
  return new Command('logout')
    .description('forget the profile, and end its key if `animal-store login` created the key')
    .option('--keep-key', 'forget the profile alone: the key still works')
    .action(async (_options, command: Command) => {
      const stored = readProfiles(shop.env)
      const { profile, keepKey } = command.optsWithGlobals<ConnectionOptions & { keepKey?: boolean }>()
      const name = profile ?? stored.current
      const forgotten =
        name !== null && Object.hasOwn(stored.profiles, name) ? stored.profiles[name] : undefined
      if (name === null || !forgotten) throw new Refused('You are not signed in.', exitCodes.notFound)
      // If a user gave the key to `login` by hand, logout does not end the key, because the user may need the key for
      // more programs.
      const isEnded = forgotten.expiresAt !== undefined && !keepKey
      if (isEnded) await endKey(forgotten)
      const { after } = await changeProfiles(shop.env, before => {
        const { [name]: found, ...profiles } = before.profiles
        // Keep the profile if a login has given it another key since.
        if (found?.key !== forgotten.key) return before
        return {
          current: before.current === name ? (Object.keys(profiles)[0] ?? null) : before.current,
          profiles,
        }
      })
      const { current } = after
      const now = current ? ` The profile in use is ${current} now.` : ''
      const words = isEnded
        ? `Ended the key of the profile ${name}, and forgot the profile.`
        : `Forgot the profile ${name}; the key itself still works.`
      shop.print(command, { forgotten: name, keyEnded: isEnded, current }, words + now)
    })
}

/** Reads a key from a pipe, or asks for one with `--with-key`. Returns an empty text if there is none. */
async function readKey(url: string, { withKey }: LoginOptions, command: Command): Promise<string> {
  if (process.stdin.isTTY) return withKey ? askForKey(url) : ''
  // A program that starts this command, or ssh, may leave the input open and never write a key to it.
  const noting = setTimeout(() => noteWait(command), noteAfterMs)
  try {
    return await text(process.stdin)
  } finally {
    clearTimeout(noting)
  }
}

function noteWait(command: Command): void {
  const message =
    'Waiting for an API key on the standard input; to sign in by a code instead, add < /dev/null.'
  process.stderr.write(`${wantsJson(command) ? toJson({ message }, 0) : message}\n`)
}

/** Reads the key without echo. */
async function askForKey(url: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const asking = createInterface({ input: process.stdin, output: silent, terminal: true })
  // Print the prompt only after echo is off, so that a key that is typed quickly stays hidden.
  process.stderr.write(`API key for ${url}: `)
  const key = await askLine(asking, '')
  process.stderr.write('\n')
  return key ?? ''
}
