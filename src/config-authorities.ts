import type { ForAuthority } from './config-values.ts'
import { StartRefused } from './tools/start-refused.ts'

type ExternalAccount = { keyId: string; hmacKey: string }

export type AuthoritySettings = {
  directoryUrl: string
  email: string | null
  externalAccount: ExternalAccount | null
  caaIdentities: string[]
}

type Given = {
  directories: readonly [string, ...string[]]
  email: string | null
  externalAccounts: ForAuthority<ExternalAccount>[]
  caaIdentities: ForAuthority<string>[]
}

/** Returns the settings of each authority, in the order of ACME_DIRECTORY_URL. */
export function readAuthorities(given: Given): [AuthoritySettings, ...AuthoritySettings[]] {
  const { directories, email } = given
  requireKnownHosts('ACME_EAB', given.externalAccounts, directories)
  requireKnownHosts('ACME_CAA_IDENTITIES', given.caaIdentities, directories)
  const read = (directoryUrl: string): AuthoritySettings => ({
    directoryUrl,
    email,
    externalAccount: valuesOf(given.externalAccounts, directoryUrl)[0] ?? null,
    caaIdentities: valuesOf(given.caaIdentities, directoryUrl),
  })
  const [first, ...others] = directories
  return [read(first), ...others.map(read)]
}

/** Returns the values that are given for an authority. */
export function valuesOf<Value>(given: ForAuthority<Value>[], directoryUrl: string): Value[] {
  const { host: own } = new URL(directoryUrl)
  return given.filter(({ host }) => host === null || host === own).map(({ value }) => value)
}

/**
 * Throws if a value is for a host that no configured authority has. Also throws if a value has no host although there
 * are several authorities.
 */
export function requireKnownHosts(
  name: string,
  given: ForAuthority<unknown>[],
  directories: readonly string[],
): void {
  const hosts = directories.map(url => new URL(url).host)
  for (const { host } of given) {
    if (host === null && hosts.length > 1)
      throw new StartRefused(`${name} needs HOST: before each value, because there are several authorities.`)
    if (host !== null && !hosts.includes(host))
      throw new StartRefused(`${name} names ${host}, which is no host of ACME_DIRECTORY_URL.`)
  }
}
