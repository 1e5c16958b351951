import { isIP, isIPv4 } from 'node:net'
import { domainToUnicode } from 'node:url'
import { getDomain, getPublicSuffix, parse } from 'tldts'
import { invalidInput } from '../errors.ts'

/** The operator's rules for the names that projects may add. */
export type NameRules = {
  /** The parent domain of all projects' platform hosts. */
  platformHost: string
  /** Host names of the service itself. */
  ownHosts: readonly string[]
  /** Suffixes that are allowed beside ICANN's, such as `test` for practice. */
  suffixes: readonly string[]
}

/** The DNS record that a project's owner has to create. */
export type DnsRecordToCreate = {
  type: 'CNAME' | 'ALIAS' | 'A' | 'AAAA' | 'TXT'
  /** Another name of the type at some providers: ANAME for ALIAS. */
  alternativeType: 'ANAME' | null
  /** The name relative to the zone: `www`, `shop.eu`, or `@` for the zone itself. */
  name: string
  value: string
  ttl: number
  /** The record as a line of a zone file. */
  zoneLine: string
}

const longestName = 253
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const withPrivateSuffixes = { allowPrivateDomains: true }

/** Validates a name that a project wants to add, and returns its stored spelling. */
export function readDomainName(text: string, rules: NameRules): string {
  const name = spellDomainName(text)
  const most = longestName - ownershipName('').length
  if (name.length > most) {
    throw refuse(
      `is longer than ${most} characters, which leaves no room for the TXT record that proves ownership`,
    )
  }
  requireAdmitted(name, rules)
  return name
}

/** Converts any spelling of a domain, including a pasted URL, to the stored one. */
export function spellDomainName(text: string): string {
  const name = hostOf(text)
  const labels = name.split('.')
  // The URL parser accepts broken Punycode, so it is rejected here. `domainToUnicode` returns a broken label unchanged.
  const unreadable = labels.find(part => part.startsWith('xn--') && domainToUnicode(part) === part)

  if (isIP(name.replace(/^\[|\]$/g, ''))) throw refuse('is an IP address; a domain name is needed')
  if (labels.includes('*')) throw refuse('has a wildcard; add each domain by its own name')
  if (name.length > longestName) throw refuse(tooLong)
  const faulty = labels.find(part => !label.test(part))
  if (faulty !== undefined) throw refuse(explainLabel(faulty))
  if (unreadable !== undefined) throw refuse(`is not a domain name: "${unreadable}" is broken Punycode`)
  if (labels.length < 2) throw refuse('is a single word; a whole name like shop.example.com is needed')
  return name
}

export function requireAdmitted(name: string, rules: NameRules): void {
  const why = whyNotAdmitted(name, rules)
  if (why !== null) throw refuse(why)
}

/**
 * Returns why projects may not have this name; null if they may. Excludes the operator's own names, public suffixes, and
 * names that the public DNS cannot resolve.
 */
export function whyNotAdmitted(name: string, { platformHost, ownHosts, suffixes }: NameRules): string | null {
  if (isWithin(name, platformHost)) {
    return `is below ${platformHost}, the domain of the platform's own hosts`
  }
  // If the operator allows a suffix that is also a host of the service, for example `localhost`, projects may use names
  // below this suffix, but not the suffix itself.
  const isOwn = (own: string) => name === own || (isWithin(name, own) && !suffixes.includes(own))
  if (ownHosts.some(isOwn)) return "is one of the platform's own names"
  // Only the operator can create DNS records for a registered domain that contains hosts of the service. Rejects these
  // registered domains as names of projects. Address records could not prove that a project owns one of these domains,
  // because all projects have the same addresses.
  if ([platformHost, ...ownHosts].some(own => registeredName(own) === name)) {
    return "is the name under which the platform's own hosts are registered"
  }
  if (getPublicSuffix(name, withPrivateSuffixes) === name) {
    return 'is a public suffix, under which everyone registers names; it belongs to no one'
  }
  if (suffixes.some(suffix => isWithin(name, suffix))) return null
  if (specialUse.some(special => isWithin(name, special))) {
    return 'is reserved for a special use, so nobody can register it'
  }
  if (!parse(name).isIcann) {
    return `does not end in a suffix of the public DNS: nobody can register names under ".${name.split('.').at(-1)}"`
  }
  return null
}

/** Special-use domain names of IANA that are below a public suffix. */
const specialUse = ['arpa', 'onion', 'example.com', 'example.net', 'example.org']

const isWithin = (name: string, above: string) => name === above || name.endsWith(`.${above}`)

const tooLong = 'is longer than the 253 characters of a domain name'
/** Enough for 253 percent-encoded characters. A limit is needed, since Punycode takes quadratic time. */
const longestHost = 1_000

function hostOf(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') throw refuse('is empty')
  if (/[\s\p{Cc}\\]/u.test(trimmed)) throw refuse('holds spaces or control characters')
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`
  const [host = ''] = address.slice(address.indexOf('://') + 3).split(/[/?#]/, 1)
  if (host.length > longestHost) throw refuse(tooLong)
  // The URL parser handles every spelling of a host: case, Unicode, percent signs and unusual forms of IPv4.
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw refuse('is not a domain name')
  if (url.username !== '' || url.password !== '') throw refuse('holds a user name; only a domain is needed')
  return url.hostname.replace(/\.$/, '')
}

function explainLabel(part: string): string {
  if (part === '') return 'has an empty part between two dots'
  if (part.length > 63) return 'has a part longer than 63 characters'
  if (part.includes('_')) return 'has an underscore, which no web host may have'
  return `has the part "${part}"; parts are letters, digits and inner hyphens`
}

function refuse(message: string) {
  return invalidInput([{ field: 'domain', message }])
}

/** Returns the registered domain of a name: example.co.uk for www.example.co.uk. */
export function registeredName(name: string): string {
  return getDomain(name, withPrivateSuffixes) ?? name
}

/**
 * True if the name is its zone's apex, where DNS forbids a CNAME. If the zone is unknown, a registered name counts as
 * apex.
 */
export function isApex(name: string, zone: string | null): boolean {
  return name === (zone ?? registeredName(name))
}

export function recordToCreate(name: string, zone: string | null, target: string): DnsRecordToCreate {
  return makeRecord(isApex(name, zone) ? 'ALIAS' : 'CNAME', name, zone, target)
}

/** Returns the records to create if the DNS provider has no ALIAS: the operator's permanent addresses. */
export function addressRecords(
  name: string,
  zone: string | null,
  addresses: readonly string[],
): DnsRecordToCreate[] {
  return addresses.map(address => makeRecord(isIPv4(address) ? 'A' : 'AAAA', name, zone, address))
}

/** Returns the TXT record that proves ownership. For an apex it is often the only possible proof. */
export function ownershipRecord(name: string, zone: string | null, token: string): DnsRecordToCreate {
  return makeRecord('TXT', ownershipName(name), zone ?? registeredName(name), token)
}

const ownershipLabel = '_animal-store'
export const ownershipName = (name: string) => `${ownershipLabel}.${name}`

const ttl = 3600

function makeRecord(
  type: DnsRecordToCreate['type'],
  owner: string,
  zone: string | null,
  value: string,
): DnsRecordToCreate {
  // DNS providers' forms ask for the name without the zone.
  const name = owner.slice(0, -(zone ?? registeredName(owner)).length - 1) || '@'
  const alternativeType = type === 'ALIAS' ? 'ANAME' : null
  const data = type === 'TXT' ? `"${value}"` : type === 'CNAME' || type === 'ALIAS' ? `${value}.` : value
  return { type, alternativeType, name, value, ttl, zoneLine: `${owner}. ${ttl} IN ${type} ${data}` }
}

/** Returns www.example.com for example.com and the reverse, because visitors type both. Null for other names. */
export function partnerName(name: string): string | null {
  // A registered name is one label and a public suffix, so with "www." it cannot become too long.
  if (registeredName(name) === name) return `www.${name}`
  return name === `www.${registeredName(name)}` ? registeredName(name) : null
}

export function readableName(name: string): string {
  return domainToUnicode(name) || name
}
