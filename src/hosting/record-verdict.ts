import type { DnsProof, DnsVerdict } from '../core/hosts/dns-verdict.ts'
import type { DnsAnswer } from './dns-answer.ts'
import type { DnsRecord } from './dns-question.ts'
import { asFound, distinct, line, shown, shownValues } from './found-records.ts'
import { type KnownProxy, proxyOf } from './known-proxies.ts'

/** A verdict, and how well the records prove ownership. */
export type Evaluated = DnsVerdict & Omit<DnsProof, 'tokens' | 'partialTokens'> & { alias: DnsRecord | null }

export type Wanted = {
  name: string
  /** The platform host of the project. */
  target: string
  /** True at the apex of a zone, where DNS forbids a CNAME. */
  isApex: boolean
  /** The operator's permanent addresses. */
  platformAddresses: readonly string[]
  /** The target's addresses, to which an ALIAS resolves. */
  ofTarget: DnsAnswer
}

/** Compares one name server's records with the wanted ones. */
export function evaluateRecords(wanted: Wanted, records: DnsRecord[]): Evaluated {
  const { name, target, isApex, platformAddresses, ofTarget } = wanted
  const own = distinct(records.filter(record => record.name === name))
  const addresses = own.filter(record => record.type === 'A' || record.type === 'AAAA')
  const aliases = own.filter(record => record.type === 'CNAME')
  const alias = aliases.find(({ value }) => value !== target) ?? aliases[0] ?? null
  const targetAddresses = ofTarget.reached ? ofTarget.records : []
  const verdict = (
    code: DnsVerdict['code'],
    message: string,
    inTheWay: DnsRecord | null = null,
  ): Evaluated => ({
    code,
    message,
    found: shown(own),
    expected: isApex ? shownValues(targetAddresses) : [target],
    inTheWay: inTheWay && asFound(inTheWay),
    namesTarget: alias?.value === target,
    needsToken: code === null && alias === null && !isApex,
    alias,
  })

  if (aliases.length > 1) {
    const message = `${name} has ${aliases.length} CNAME records, and DNS allows one. Delete all but the right one.`
    return verdict('several_cnames', message, alias)
  }
  // A name with a CNAME must not have addresses too (RFC 1034, 3.6.2): some visitors would get the CNAME, others the
  // addresses.
  if (alias && addresses.length === 0) {
    if (alias.value === target) return verdict(null, `${name} points at ${target}.`)
    const rest = isApex ? aliasInstead(wanted) : `it has to be exactly ${target}.`
    return verdict(
      isApex ? 'apex_differs' : 'record_differs',
      `${name} points at ${alias.value}; ${rest}`,
      alias,
    )
  }
  if (addresses.length === 0) return verdict('record_missing', missing(wanted))

  const has = new Set(addresses.map(one => one.value))
  const isExactly = (values: readonly string[]) =>
    values.length > 0 && has.symmetricDifference(new Set(values)).size === 0
  const ofTargetValues = targetAddresses.map(one => one.value)
  if (!alias && isExactly(platformAddresses)) return verdict(null, `${name} has the platform's addresses.`)
  if (!alias && isExactly(ofTargetValues)) return verdict(null, `${name} has the addresses of ${target}.`)
  const proxy = proxyOf(own)
  const right = new Set([...ofTargetValues, ...platformAddresses])
  const foreign = addresses.find(one => !right.has(one.value)) ?? null
  if (proxy) return verdict('proxied', behind(name, proxy), foreign)
  if (isApex) {
    const message = `${name} has other addresses than ${target}: ${aliasInstead(wanted)}`
    return verdict('apex_differs', message, foreign ?? alias)
  }
  const inTheWay = foreign ?? addresses[0] ?? null
  const message = `The record "${inTheWay && line(inTheWay)}" conflicts with the CNAME. Delete it, then create the CNAME.`
  return verdict('address_record_conflict', message, inTheWay)
}

function missing({ name, isApex, platformAddresses }: Wanted): string {
  const alternative =
    platformAddresses.length > 0 ? `, nor the addresses ${platformAddresses.join(', ')}` : ''
  const record = isApex ? `ALIAS or ANAME record yet${alternative}` : 'CNAME record yet'
  return `${name} has no ${record}. New records can take up to 48 hours to show.`
}

function aliasInstead({ platformAddresses }: Wanted): string {
  const alternative =
    platformAddresses.length > 0 ? `, or by the addresses ${platformAddresses.join(', ')}` : ''
  return `replace its records by one ALIAS or ANAME record${alternative}.`
}

const behind = (name: string, { name: proxy, way }: KnownProxy) =>
  `${name} is answered by ${proxy}'s proxy, which hides the record behind it. ${way}`
