import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
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

export function writeProfiles(env: Environment, profiles: Profiles): void {
  const file = profilesFile(env)
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
    // Set the mode too, because writing does not change the mode of an existing file.
    chmodSync(file, 0o600)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Refused(`${file} cannot be written: ${code}.`, exitCodes.failed)
  }
}
