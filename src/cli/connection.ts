import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodes, Refused } from './exit.ts'
import { type Environment, readJsonObject, readProfiles } from './profiles.ts'
import { type Connection, requireAddress, requireUsable } from './rest-client.ts'

/** Values of the command's options. */
export type ConnectionOptions = { url?: string; key?: string; profile?: string }
export type Role = 'owner' | 'operator'

type Found = { url?: string | undefined; urlFrom?: string; key?: string | undefined; keyFrom: string }

type Local = { url?: string; apiKey?: string; operatorKey?: string | null }

const usualUrl = 'http://localhost:4000'

/** Precedence: options, environment, profile, and last the files of a local service. */
export function findConnection(env: Environment, options: ConnectionOptions, role: Role): Connection {
  requireGiven(options)
  const typed: Found = { url: options.url, urlFrom: '--url', key: options.key, keyFrom: '--key' }
  // A profile that is named explicitly overrides the environment.
  const ofEnvironment: Found = options.profile
    ? { keyFrom: '' }
    : {
        url: env.ANIMAL_STORE_URL,
        urlFrom: 'ANIMAL_STORE_URL',
        key: env.ANIMAL_STORE_KEY,
        keyFrom: 'ANIMAL_STORE_KEY',
      }
  const profile = findProfile(env, options.profile)
  const local = findLocal(env, role)
  const place = [typed, ofEnvironment, profile, local].find(one => one?.url)
  const url = trimmed(place?.url ?? usualUrl)
  const urlFrom = place?.urlFrom ?? place?.keyFrom ?? 'no setting'
  requireAddress({ url, urlFrom })
  const found = [typed, ofEnvironment, ...[profile, local].filter(one => belongsTo(one, url))].find(
    one => one?.key,
  )
  if (found?.key) return requireUsable({ url, urlFrom, key: found.key, keyFrom: found.keyFrom })
  throw new Refused(
    `There is no key for ${url}: run animal-store login --url ${url}, or set ANIMAL_STORE_KEY${role === 'operator' ? " to the operator's key" : ''}.`,
    exitCodes.notAllowed,
  )
}

/** The profile in which `login` stores a key if the user names no profile. */
export const nameless = 'default'

/**
 * Finds the address at which `login` signs in. As in `findConnection`, a profile that is named explicitly overrides the
 * environment.
 */
export function findAddress(
  env: Environment,
  options: ConnectionOptions,
): Pick<Connection, 'url' | 'urlFrom'> {
  const { profile = nameless } = options
  const typed = { url: options.url, urlFrom: '--url' }
  const ofEnvironment = { url: env.ANIMAL_STORE_URL, urlFrom: 'ANIMAL_STORE_URL' }
  const stored = { url: readProfiles(env).profiles[profile]?.url, urlFrom: `the profile ${profile}` }
  const places = options.profile ? [typed, stored, ofEnvironment] : [typed, ofEnvironment, stored]
  const found = places.find(({ url }) => url)
  return { url: trimmed(found?.url ?? usualUrl), urlFrom: found?.urlFrom ?? 'no setting' }
}

/**
 * Refuses an empty option. Otherwise a script with an unset variable would use another service than the intended one.
 */
export function requireGiven(options: ConnectionOptions): void {
  for (const name of ['url', 'key', 'profile'] as const) {
    if (options[name] !== '') continue
    const message = 'must not be empty'
    const details = [{ field: `--${name}`, message }]
    throw new Refused(`--${name} ${message}.`, exitCodes.wrongInput, 'invalid_input', details)
  }
}

/**
 * Removes a final /v1 and final slashes, because the service announces its address with /v1, the path of REST. In
 * http://v1, the v1 is the host's name, so the function keeps it.
 */
export const trimmed = (url: string) => url.replace(/(?<!\/)(\/v1)?\/*$/, '')

function findProfile(env: Environment, name: string | undefined): Found | null {
  const { current, profiles } = readProfiles(env)
  const chosen = name ?? current
  const profile = chosen !== null && Object.hasOwn(profiles, chosen) ? profiles[chosen] : undefined
  if (name !== undefined && !profile) {
    throw new Refused(
      `There is no profile ${name}. Create it with animal-store login --profile ${name}.`,
      exitCodes.notFound,
    )
  }
  return profile ? { ...profile, keyFrom: `the profile ${chosen}` } : null
}

/** Reads the address and the keys that a service on this machine has written to its data folder. */
function findLocal(env: Environment, role: Role): Found | null {
  const file = join(env.DATA_DIR || '.data', 'credentials.json')
  if (!existsSync(file)) return null
  const { url, apiKey, operatorKey } = readJsonObject<Local>(file)
  if (url !== undefined && typeof url !== 'string')
    throw new Refused(`url in ${file} must be a text.`, exitCodes.wrongInput)
  return { url, key: (role === 'operator' ? operatorKey : apiKey) ?? undefined, keyFrom: file }
}

/**
 * True if the key may be sent to this address. A key from a profile is sent only to the profile's address, the key of a
 * local service to any port of this machine.
 */
function belongsTo(found: Found | null, url: string): boolean {
  if (!found) return false
  return found.keyFrom.startsWith('the profile') ? trimmed(found.url ?? '') === url : isLocal(url)
}

function isLocal(url: string): boolean {
  return URL.canParse(url) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)
}
