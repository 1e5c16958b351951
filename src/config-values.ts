import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import * as v from 'valibot'
import { readAddresses } from './database/addresses.ts'
import { readRedisAddress } from './limiter/redis-address.ts'
import { isPort, parseNetwork } from './tools/networks.ts'

/** At most 15 digits, because JavaScript keeps longer numbers only approximately. */
const number = (problem: string) =>
  v.pipe(v.string(), v.trim(), v.regex(/^\d{1,15}$/, problem), v.transform(Number))

export const port = (name: string, least: number) =>
  v.pipe(
    number(`${name} must be a whole number.`),
    v.minValue(least, `${name} must be at least ${least}.`),
    v.maxValue(65535, `${name} must be at most 65535.`),
  )

export const count = (name: string) => {
  const problem = `${name} must be a whole number above 0.`
  return v.pipe(number(problem), v.minValue(1, problem))
}

/** A duration in seconds, at most one hour. */
export const seconds = (name: string, least = 0) => {
  const problem = `${name} must be a whole number from ${least} to 3600.`
  return v.pipe(number(problem), v.minValue(least, problem), v.maxValue(3600, problem))
}

export const webAddress = (name: string) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.check(
      text => URL.canParse(text) && isWebAddress(text),
      `${name} must be an http or https address without a user, a query or a fragment.`,
    ),
    v.transform(url => url.replace(/(?<!\/)\/+$/, '')),
  )

function isWebAddress(text: string): boolean {
  const { username, password } = new URL(text)
  return /^https?:\/\/[^?#]*$/i.test(text) && username + password === ''
}

/**
 * An issuer's identifier. A slash at its end is kept, because it is part of the identifier. Only an issuer on this
 * machine may use plain HTTP.
 */
export const issuerAddress = (name: string) =>
  readAs(
    text => (URL.canParse(text) && isIssuer(new URL(text)) ? text : null),
    `${name} must be an https address without a query; http is possible at localhost only.`,
  )

/**
 * A mail server, with or without a user and a password. A query is refused, because the library would read options from
 * it.
 */
export const mailServer = (name: string) =>
  readAs(
    text => (URL.canParse(text) && isMailServer(new URL(text)) ? text : null),
    `${name} must be an address like smtps://USER:PASSWORD@HOST or smtp://HOST:587.`,
  )

const isMailServer = ({ protocol, hostname, pathname, search, hash }: URL) =>
  ['smtp:', 'smtps:'].includes(protocol) &&
  hostname !== '' &&
  ['', '/'].includes(pathname) &&
  search + hash === ''

const isIssuer = ({ protocol, hostname, search, hash, username }: URL) =>
  (protocol === 'https:' ||
    (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))) &&
  search + hash + username === ''

export const share = (name: string) =>
  readAs(
    text => (/^(?:0|1|0?\.\d{1,6})$/.test(text) ? Number(text) : null),
    `${name} must be a number from 0 to 1, like 0.01.`,
  )

export const onOff = (name: string) =>
  v.pipe(
    v.picklist(['0', '1'], `${name} must be 0 or 1.`),
    v.transform(value => value === '1'),
  )

/** Parses a text with `read`. If `read` returns null, reports `problem`. */
const readAs = <Read>(read: (text: string) => Read | null, problem: string) =>
  v.pipe(
    v.string(),
    v.rawTransform<string, Read>(({ dataset, addIssue, NEVER }) => {
      const found = read(dataset.value)
      if (found !== null) return found
      addIssue({ message: problem })
      return NEVER
    }),
  )

export const processCount = (name: string) =>
  readAs(text => {
    if (text === 'auto') return availableParallelism()
    return /^[1-9]\d{0,2}$/.test(text) ? Number(text) : null
  }, `${name} must be auto, which is one per core, or a whole number above 0.`)

/**
 * Parses the number of trusted proxies, or a list of the proxies' addresses. If the number is above 0, the service
 * accepts any peer as a trusted proxy, whatever the peer's address.
 */
export const trustProxy = (name: string) =>
  readAs(text => {
    if (/^\d{1,2}$/.test(text)) return Number(text)
    const proxies = text.split(',').map(part => part.trim())
    return proxies.every(isNetwork) ? proxies : null
  }, `${name} must be a number of proxies, or their addresses or subnets separated by commas.`)

/** An address, or a subnet as address/bits. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  if (more.length > 0) return false
  const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  return bits === undefined ? most > 0 : /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most
}

/** Several keys during a rotation: the first one encrypts, the others only decrypt. */
export const secretsKeys = readAs(text => {
  const keys = text.split(',').map(part => part.trim())
  // Check each character, because Buffer.from skips those that are not base64.
  if (!keys.every(key => /^(?:[0-9a-f]{64}|[\w+/-]{43}=?)$/i.test(key))) return null
  return keys.map(key => Buffer.from(key, key.length === 64 ? 'hex' : 'base64'))
}, 'SECRETS_KEY must be 32 random bytes in base64 or hexadecimal; several are separated by commas.')

/** Keeps the address as a text, because the database module parses it. */
export const databaseAddress = (name: string) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.rawCheck(({ dataset, addIssue }) => {
      const read = dataset.typed ? readAddresses(dataset.value) : null
      if (read === null) addIssue({ message: `${name} must be a postgresql:// address.` })
      if (typeof read === 'string') addIssue({ message: `${name} ${read}` })
    }),
  )

/** Keeps the address as a text, because the limiter parses it. */
export const redisAddress = (name: string) =>
  v.pipe(
    v.string(),
    v.check(
      text => readRedisAddress(text) !== null,
      `${name} must be a redis:// or rediss:// address, several of a cluster separated by commas, rediss+sentinel://HOST,HOST/NAME, or unix:///PATH, with % written as %25.`,
    ),
  )

export const dnsServers = readAs(text => {
  const servers = text.split(',').map(part => readServer(part.trim()))
  return servers.every(server => server !== null) ? servers : null
}, 'DNS_SERVERS must be addresses, each with a port if it is not 53, separated by commas.')

function readServer(text: string): { address: string; port: number } | null {
  const [, bracketed, plain, port] =
    /^(?:\[([0-9a-f:.]+)\]|([0-9.]+|[0-9a-f:]+?))(?::(\d+))?$/i.exec(text) ?? []
  if (isIP(text)) return { address: text, port: 53 }
  const address = bracketed ?? plain ?? ''
  return isIP(address) && (port === undefined || isPort(port)) ? { address, port: Number(port ?? 53) } : null
}

export const addresses = readAs(text => {
  const all = text.split(',').map(part => part.trim().toLowerCase())
  return all.length <= 4 && all.every(one => isIP(one) !== 0) ? all.map(canonicalAddress) : null
}, 'PLATFORM_ADDRESSES must be up to four IPv4 and IPv6 addresses separated by commas.')

/** Converts an address to the canonical spelling in which DNS answers are compared. */
function canonicalAddress(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address
}

/** The directory URLs of certificate authorities. Other settings name an authority by the host of its URL. */
export const directories = readAs(text => {
  const urls = text.split(',').map(part => part.trim())
  const areGood = urls.every(url => /^https:\/\//i.test(url) && URL.canParse(url))
  if (!areGood || new Set(urls.map(url => new URL(url).host)).size !== urls.length) return null
  return urls as [string, ...string[]]
}, 'ACME_DIRECTORY_URL must be an https address, or several with different hosts, separated by commas.')

/** A value for each certificate authority as HOST:VALUE. Without HOST the value is for the only authority. */
export type ForAuthority<Value> = { host: string | null; value: Value }

/**
 * Keys of external account binding. The key is base64url, but base64 is accepted too, because some authorities show the
 * key in that form.
 */
export const externalAccounts = readAs((text): ForAuthority<{ keyId: string; hmacKey: string }>[] | null => {
  const accounts = text.split(',').map(part => {
    const [, host = null, keyId = '', hmacKey = ''] =
      /^(?:(\S+):)?([^\s:]+):([\w+/-]+={0,2})$/.exec(part.trim()) ?? []
    return { host: host?.toLowerCase() ?? null, value: { keyId, hmacKey } }
  })
  return accounts.every(({ value }) => value.keyId && value.hmacKey) ? accounts : null
}, 'ACME_EAB must be KEYID:HMAC, or HOST:KEYID:HMAC for each authority, separated by commas.')

export const caaIdentities = readAs((text): ForAuthority<string>[] | null => {
  const identities = text.split(',').map(part => {
    const [, host = null, value = ''] = /^(?:(\S+):)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/i.exec(part.trim()) ?? []
    return { host: host?.toLowerCase() ?? null, value: value.toLowerCase() }
  })
  return identities.every(({ value }) => value) ? identities : null
}, 'ACME_CAA_IDENTITIES must be a domain name, or HOST:NAME for each name of an authority, separated by commas.')

export const networks = readAs(text => {
  const all = text.split(',').map(part => parseNetwork(part.trim()))
  return all.every(one => one !== null) ? all : null
}, 'WEBHOOK_NETWORKS must be networks like 10.1.0.0/16 or fd00::/8, separated by commas.')

export const suffixes = readAs(text => {
  const names = text.split(',').map(part => part.trim().toLowerCase().replace(/^\./, ''))
  return names.every(name => /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(name)) ? names : null
}, 'DOMAIN_SUFFIXES must be names like test or customers.example, separated by commas.')

export type OperatorKey = { name: string; key: string }

/** Operator keys as NAME:KEY,NAME:KEY. There are several if each operator has a key, or while a key is replaced. */
export const operatorKeys = readAs((text): OperatorKey[] | null => {
  const keys = text.split(',').map(part => {
    const [, name = 'operator', key = ''] = /^(?:([a-z0-9][a-z0-9-]{0,39}):)?(.*)$/.exec(part.trim()) ?? []
    return { name, key }
  })
  // Clients encode other characters in a header differently. A header with a longer key would be ignored.
  const areFit = keys.every(({ key }) => /^[!-~]{32,190}$/.test(key))
  return areFit && new Set(keys.map(({ name }) => name)).size === keys.length ? keys : null
}, 'OPERATOR_KEY must have 32 to 190 characters, without spaces and characters outside ASCII; write several as NAME:KEY,NAME:KEY, each with a different name.')
