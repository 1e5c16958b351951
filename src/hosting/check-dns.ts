import type { CheckDns, DnsProof, DnsVerdict } from '../core/hosts/dns-verdict.ts'
import { isApex, ownershipName } from '../core/hosts/names.ts'
import type { Dns } from './dns.ts'
import { providerOf } from './dns-providers.ts'
import type { DnsRecord, DnsType } from './dns-question.ts'
import { asFound, distinct, line, shown, shownValues } from './found-records.ts'
import { type KnownProxy, proxyOf } from './known-proxies.ts'

const lookMs = 4_500
const tokensRead = 20
const aliasesFollowed = 10

/** `platformAddresses` are those that the operator promises to keep, as the second way for an apex. */
export function openDnsCheck(dns: Dns, platformAddresses: readonly string[] = []): CheckDns {
  return async (name, target) => {
    const deadline = performance.now() + lookMs
    const [{ namesTarget, ...verdict }, tokens, nameServers] = await Promise.all([
      isApex(name)
        ? lookAtApex(dns, name, target, platformAddresses, deadline)
        : lookAtSubdomain(dns, name, target, deadline),
      readTokens(dns, name, deadline),
      dns.findNameServers(name, deadline),
    ])
    const provider = providerOf(nameServers)
    return { verdict: { ...verdict, provider }, proof: { namesTarget, tokens } }
  }
}

/** What a look has shown, and whether by a CNAME to this very target. */
type Seen = DnsVerdict & Pick<DnsProof, 'namesTarget'>

async function readTokens(dns: Dns, name: string, deadline: number): Promise<string[] | null> {
  const owner = ownershipName(name)
  const answer = await dns.askZone(owner, ['TXT'], deadline)
  if (!answer.reached) return null
  const texts = answer.records.filter(record => record.type === 'TXT' && record.name === owner)
  return texts.slice(0, tokensRead).map(record =>
    record.value
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .toLowerCase(),
  )
}

async function lookAtSubdomain(dns: Dns, name: string, target: string, deadline: number): Promise<Seen> {
  const expected = [target]
  const answer = await dns.askZone(name, ['CNAME', 'A', 'AAAA'], deadline)
  if (!answer.reached) return unreachable(name, answer.why, expected)

  const own = distinct(answer.records.filter(record => record.name === name))
  const found = shown(own)
  const address = own.find(record => record.type === 'A' || record.type === 'AAAA')
  const aliases = own.filter(record => record.type === 'CNAME')
  const alias = aliases.find(({ value }) => value !== target) ?? aliases[0]
  const verdict = (code: DnsVerdict['code'], message: string, inTheWay: DnsRecord | null = null): Seen => ({
    code,
    message,
    found,
    expected,
    inTheWay: inTheWay && asFound(inTheWay),
    namesTarget: alias?.value === target,
  })

  const proxy = proxyOf(own)
  if (proxy) return verdict('proxied', behind(name, proxy), address)
  if (address) {
    const message = `The record "${line(address)}" stands where the CNAME has to be. Delete it, then create the CNAME.`
    return verdict('address_record_conflict', message, address)
  }
  if (aliases.length > 1) return severalCnames(verdict, name, aliases, alias)
  if (!alias) {
    return verdict(
      'record_missing',
      `${name} has no CNAME record yet. New records can take up to 48 hours to show.`,
    )
  }
  if (alias.value === target) return verdict(null, `${name} points at ${target}.`)
  if (await runsInCircles(dns, alias, deadline)) {
    return verdict('loop', `The CNAME of ${name} leads back to itself.`, alias)
  }
  return verdict('record_differs', `${name} points at ${alias.value}; it has to be exactly ${target}.`, alias)
}

/** An apex has no CNAME; ALIAS, ANAME and flattening all show as the target's own addresses. */
async function lookAtApex(
  dns: Dns,
  name: string,
  target: string,
  platformAddresses: readonly string[],
  deadline: number,
): Promise<Seen> {
  const [own, ofTarget] = await Promise.all([
    dns.askZone(name, ['CNAME', 'A', 'AAAA'], deadline),
    resolveAddresses(dns, target, deadline),
  ])
  if (!own.reached) return unreachable(name, own.why, [target])
  if (!ofTarget.reached) return unreachable(target, ofTarget.why, [target])

  const ownRecords = distinct(own.records.filter(one => one.name === name))
  const addresses = ownRecords.filter(one => one.type !== 'CNAME')
  const aliases = ownRecords.filter(one => one.type === 'CNAME')
  const alias = aliases.find(({ value }) => value !== target) ?? aliases[0]
  const found = shown(ownRecords)
  const expected = shownValues(ofTarget.records)
  const verdict = (code: DnsVerdict['code'], message: string, inTheWay: DnsRecord | null = null): Seen => ({
    code,
    message,
    found,
    expected,
    inTheWay: inTheWay && asFound(inTheWay),
    namesTarget: alias?.value === target,
  })

  if (aliases.length > 1) return severalCnames(verdict, name, aliases, alias)
  if (alias?.value === target) return verdict(null, `${name} points at ${target}.`)
  if (alias && (await runsInCircles(dns, alias, deadline))) {
    return verdict('loop', `The CNAME of ${name} leads back to itself.`, alias)
  }
  if (ownRecords.length === 0) {
    return verdict(
      'record_missing',
      `${name} has no ALIAS or ANAME record yet${platformAddresses.length > 0 ? ', nor the addresses that may stand in for it' : ''}. New records can take up to 48 hours.`,
    )
  }
  const wanted = new Set(ofTarget.records.map(one => one.value))
  const has = new Set(addresses.map(one => one.value))
  // Of no addresses, as of a CNAME alone, nothing is promised.
  const isPromised = has.size > 0 && new Set(platformAddresses).symmetricDifference(has).size === 0
  if (isPromised) return verdict(null, `${name} shows the platform's addresses.`)
  if (wanted.size === 0) return unreachable(target, 'it has no address yet', [target])
  if (wanted.symmetricDifference(has).size === 0) return verdict(null, `${name} points at ${target}.`)
  const right = wanted.union(new Set(platformAddresses))
  const foreign = alias ?? addresses.find(one => !right.has(one.value)) ?? null
  const proxy = proxyOf(ownRecords)
  if (proxy) return verdict('proxied', behind(name, proxy), foreign)
  return verdict(
    'apex_differs',
    `${name} leads to other addresses than ${target}. Replace its records by one ALIAS or ANAME record${secondWay(platformAddresses)}.`,
    foreign,
  )
}

async function resolveAddresses(dns: Dns, name: string, deadline: number) {
  const answers = await Promise.all(
    (['A', 'AAAA'] as const).map(async type => ({ type, answer: await dns.resolve(name, type, deadline) })),
  )
  const records: DnsRecord[] = []
  for (const { type, answer } of answers) {
    if (!answer.reached) return answer
    records.push(...endOfChain(answer.records, name, type))
  }
  return { reached: true as const, records: distinct(records) }
}

function endOfChain(records: DnsRecord[], name: string, type: DnsType): DnsRecord[] {
  let owner = name
  for (let step = 0; step < aliasesFollowed; step++) {
    const alias = records.find(record => record.type === 'CNAME' && record.name === owner)
    if (!alias) break
    owner = alias.value
  }
  return records.filter(record => record.type === type && record.name === owner)
}

async function runsInCircles(dns: Dns, first: DnsRecord, deadline: number): Promise<boolean> {
  const seen = new Set([first.name])
  let next: string | undefined = first.value
  for (let step = 0; next !== undefined && step < aliasesFollowed; step++) {
    if (seen.has(next)) return true
    seen.add(next)
    const owner: string = next
    const answer = await dns.resolve(owner, 'CNAME', deadline)
    if (!answer.reached) return false
    next = answer.records.find(record => record.type === 'CNAME' && record.name === owner)?.value
  }
  return next !== undefined
}

const secondWay = (addresses: readonly string[]) =>
  addresses.length > 0 ? `, or by the addresses ${addresses.join(', ')}` : ''

const behind = (name: string, { name: proxy, way }: KnownProxy) =>
  `${name} is answered by ${proxy}'s proxy, which hides the record behind it. ${way}`

/** DNS allows a name one CNAME (RFC 2181, 10.1); of two, some visitors would follow the other one. */
function severalCnames(
  verdict: (code: DnsVerdict['code'], message: string, inTheWay: DnsRecord | null) => Seen,
  name: string,
  aliases: DnsRecord[],
  foreign: DnsRecord | undefined,
): Seen {
  const message = `${name} has ${aliases.length} CNAME records, and DNS allows one. Delete all but the right one.`
  return verdict('several_cnames', message, foreign ?? null)
}

function unreachable(name: string, why: string, expected: string[]): Seen {
  const message = `DNS could not be asked about ${name}: ${why}. That is no verdict on the record; it is asked again.`
  return { code: 'dns_unreachable', message, found: [], expected, inTheWay: null, namesTarget: false }
}
