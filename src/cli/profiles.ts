import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { exitCodes, Refused } from './exit.ts'

export type Environment = Record<string, string | undefined>
/** `expiresAt`: the end of a key that `login` got by a code. Only this machine uses such a key. */
export type Profile = { url: string; key: string; expiresAt?: string }
export type Profiles = { current: string | null; profiles: Record<string, Profile> }

/** The file in which `login` stores services and keys. Only its owner may read the file. */
export const profilesFile = (env: Environment) =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'animal-store', 'profiles.json')

export function readProfiles(env: Environment): Profiles {
  const file = profilesFile(env)
  if (!existsSync(file)) return { current: null, profiles: {} }
  const { current = null, profiles = {} } = readJsonObject<Profiles>(file)
  if (!isObject(profiles)) throw unreadable(file)
  for (const [name, profile] of Object.entries<Partial<Profile> | null>(profiles)) {
    if (typeof profile?.url !== 'string' || typeof profile.key !== 'string')
      throw new Refused(
        `The profile ${name} in ${file} must have url and key as texts. Repair it or delete it.`,
        exitCodes.wrongInput,
      )
  }
  return { current, profiles }
}

/** Reads a JSON file written by this command or by the service. Refuses a damaged file. */
export function readJsonObject<Content extends object>(file: string): Partial<Content> {
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (isObject(content)) return content
  } catch {
    // Invalid JSON is refused below.
  }
  throw unreadable(file)
}

const isObject = (content: unknown): content is object =>
  typeof content === 'object' && content !== null && !Array.isArray(content)

const unreadable = (file: string) =>
  new Refused(`${file} cannot be read as a JSON object. Repair it or delete it.`, exitCodes.failed)

/**
 * Changes the stored profiles, and returns them as they were before and after. Reads them only once no other command can
 * change them, so that no command overwrites the change of another one.
 */
export async function changeProfiles(
  env: Environment,
  change: (stored: Profiles) => Profiles,
): Promise<{ before: Profiles; after: Profiles }> {
  const file = profilesFile(env)
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // Use the path of the linked file, because a rename would replace the link instead.
    const target = existsSync(file) ? realpathSync(file) : file
    const draft = `${target}.lock`
    await create(draft)
    try {
      const before = readProfiles(env)
      const after = change(before)
      // Without `flush`, node ignores that a full disk has taken only a part of the text.
      writeFileSync(draft, `${JSON.stringify(after, null, 2)}\n`, { flush: true })
      renameSync(draft, target)
      return { before, after }
    } catch (error) {
      rmSync(draft, { force: true })
      throw error
    }
  } catch (error) {
    if (error instanceof Refused) throw error
    throw new Refused(
      `${file} cannot be written: ${(error as NodeJS.ErrnoException).code}.`,
      exitCodes.failed,
    )
  }
}

/** Far longer than a change takes. An older draft is from a command that was killed. */
const longestChangeMs = 10_000

/** Creates the draft, which is also the lock of the file: waits until no other command has a draft. */
async function create(draft: string): Promise<void> {
  for (;;) {
    try {
      return writeFileSync(draft, '', { flag: 'wx', mode: 0o600 })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const { mtimeMs = Date.now() } = statSync(draft, { throwIfNoEntry: false }) ?? {}
    if (Math.abs(Date.now() - mtimeMs) > longestChangeMs) rmSync(draft, { force: true })
    else await pause(20)
  }
}
