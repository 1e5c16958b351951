import { isIP } from 'node:net'
import { domainToUnicode } from 'node:url'
import { getDomain, getPublicSuffix } from 'tldts'
import { invalidInput } from './errors.ts'

/** The record a project's owner creates at the registrar, as it is typed there. */
export type DnsRecordToCreate = {
  type: 'CNAME' | 'ALIAS'
  /** What other providers call the same: ANAME for ALIAS. */
  alternativeType: 'ANAME' | null
  /** The label at the registrar: `www`, `shop.eu`, or `@` for the domain itself. */
  name: string
  value: string
  ttl: number
}

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const withPrivateSuffixes = { allowPrivateDomains: true }

/** Brings any spelling of a domain, a pasted address included, to the one that is stored. */
export function readDomainName(text: string, platformHost: string): string {
  const name = hostOf(text)
  const labels = name.split('.')
  // What Unicode cannot read back is broken Punycode, which the URL reader lets pass.
  const unreadable = labels.find(part => part.startsWith('xn--') && domainToUnicode(part) === part)

  if (isIP(name.replace(/^\[|\]$/g, ''))) throw refuse('is an IP address; a domain name is needed')
  if (labels.includes('*')) throw refuse('has a wildcard; add each domain by its own name')
  if (name.length > 253) throw refuse('is longer than the 253 characters of a domain name')
  const faulty = labels.find(part => !label.test(part))
  if (faulty !== undefined) throw refuse(explainLabel(faulty))
  if (unreadable !== undefined) throw refuse(`is not a domain name: "${unreadable}" is broken Punycode`)
  if (labels.length < 2) throw refuse('is a single word; a whole name like shop.example.com is needed')
  if (name === platformHost || name.endsWith(`.${platformHost}`)) {
    throw refuse(`lies under ${platformHost}, where the platform's own hosts live`)
  }
  if (getPublicSuffix(name, withPrivateSuffixes) === name) {
    throw refuse('is a public suffix, under which everyone registers names; it belongs to no one')
  }
  return name
}

function hostOf(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') throw refuse('is empty')
  if (/[\s\p{Cc}\\]/u.test(trimmed)) throw refuse('holds spaces or control characters')
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`
  // The URL reader knows every spelling of a host: case, Unicode, percent signs, odd forms of IPv4.
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

/** The name under a public suffix that someone registered: example.co.uk of www.example.co.uk. */
export function registeredName(name: string): string {
  return getDomain(name, withPrivateSuffixes) ?? name
}

/** Has no label of its own, so that DNS forbids a CNAME there. */
export function isApex(name: string): boolean {
  return registeredName(name) === name
}

export function recordToCreate(name: string, target: string): DnsRecordToCreate {
  if (isApex(name)) return { type: 'ALIAS', alternativeType: 'ANAME', name: '@', value: target, ttl: 3600 }
  const ownLabel = name.slice(0, -registeredName(name).length - 1)
  return { type: 'CNAME', alternativeType: null, name: ownLabel, value: target, ttl: 3600 }
}

/** The other one of www.example.com and example.com, which visitors type just as often. */
export function partnerName(name: string): string | null {
  if (isApex(name)) return `www.${name}`.length <= 253 ? `www.${name}` : null
  return name === `www.${registeredName(name)}` ? registeredName(name) : null
}

export function readableName(name: string): string {
  return domainToUnicode(name) || name
}
