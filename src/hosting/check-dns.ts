import type { CheckDns, DnsVerdict } from '../core/hosts/dns-verdict.ts'
import { isApex, registeredName } from '../core/hosts/names.ts'
import type { Dns, Lookup, ZoneAnswer } from './dns.ts'
import type { DnsAnswer } from './dns-answer.ts'
import { providerOf } from './dns-providers.ts'
import type { DnsRecord, DnsType } from './dns-question.ts'
import { distinct, shown } from './found-records.ts'
import { readTokens } from './ownership-tokens.ts'
import { type Evaluated, evaluateRecords, type Wanted } from './record-verdict.ts'

const timeoutMs = 4_500
const zoneMs = 1_500
const aliasesFollowed = 10
const serversNamed = 5

/**
 * Opens the DNS check. `platformAddresses` are the operator's permanent addresses, for names that cannot have a CNAME.
 */
export function openDnsCheck(dns: Dns, platformAddresses: readonly string[] = []): CheckDns {
  return async (name, target) => {
    const lookup = dns.startLookup(performance.now() + timeoutMs)
    const zone = await lookup.findZone(name)
    const zoneName = zone.reached && zone.exists ? zone.name : null
    const [{ alias: _, namesTarget, needsToken, ...verdict }, tokens] = await Promise.all([
      checkName(lookup, { name, target, platformAddresses, isApex: isApex(name, zoneName) }),
      readTokens(lookup, name),
    ])
    const servers = zone.reached ? (zone.servers ?? []).map(server => server.name) : zone.delegatedTo
    const provider = providerOf(servers)
    return {
      verdict: { ...verdict, provider },
      proof: { namesTarget, needsToken, ...tokens },
      zone: zoneName,
    }
  }
}

async function checkName(lookup: Lookup, wantedName: Omit<Wanted, 'ofTarget'>): Promise<Evaluated> {
  const { name, target } = wantedName
  const answer = await lookup.askZone(name, ['CNAME', 'A', 'AAAA'])
  if (!answer.reached) return unreachable(name, answer.why, [target])

  const hasAddress = answer.answers.some(({ records }) => records.some(one => isAddressOf(one, name)))
  const ofTarget: DnsAnswer =
    hasAddress || wantedName.isApex ? await resolveAddresses(lookup, target) : { reached: true, records: [] }
  const wanted = { ...wantedName, ofTarget }
  if (!answer.zone.exists) {
    const message = `${registeredName(name)} does not exist in DNS. Is it registered, and does it have name servers?`
    return { ...evaluateRecords(wanted, []), message }
  }
  const evaluated = agree(wanted, answer)
  if (hasAddress && evaluated.code !== null && evaluated.code !== 'proxied') {
    if (!ofTarget.reached) return unreachable(target, ofTarget.why, [target])
    // At the apex, the addresses of the name are compared with the addresses of the target, so a target without
    // addresses makes the comparison impossible. Below the apex, the CNAME is compared with the target's name, so the
    // target needs no address.
    if (wantedName.isApex && ofTarget.records.length === 0)
      return unreachable(target, 'it has no address yet', [target])
  }
  const differs = evaluated.code === 'record_differs' || evaluated.code === 'apex_differs'
  if (differs && evaluated.alias && (await runsInCircles(lookup, evaluated.alias))) {
    return { ...evaluated, code: 'loop', message: `The CNAME of ${name} leads back to itself.` }
  }
  const isRight = evaluated.code === null || evaluated.code === 'spreading'
  return isRight && answer.zone.servers && (await lookup.hasBrokenDnssec(name))
    ? unreachable(name, brokenDnssec(answer.zone.name ?? name), [target])
    : evaluated
}

/** Combines the verdicts of all name servers. The record is right only if every server that answers has it. */
function agree(wanted: Wanted, { answers, silent }: Extract<ZoneAnswer, { reached: true }>): Evaluated {
  const all = answers.map(({ server, records }) => ({ server, evaluated: evaluateRecords(wanted, records) }))
  const right = all.filter(({ evaluated }) => evaluated.code === null)
  const wrong = all.filter(({ evaluated }) => evaluated.code !== null)
  const [first] = right
  const [worst] = wrong.toSorted((a, b) => countOf(wrong, b) - countOf(wrong, a))
  if (!first) return (worst ?? { evaluated: evaluateRecords(wanted, []) }).evaluated
  if (worst) {
    const others = listOf(wrong.map(({ server }) => server))
    return {
      ...first.evaluated,
      code: 'spreading',
      message: `${right.length} of ${all.length} name servers have the record so far: ${others} ${wrong.length === 1 ? 'does' : 'do'} not. It is checked again automatically.`,
      found: shown(distinct([...worst.evaluated.found, ...first.evaluated.found])),
      namesTarget: false,
      needsToken: false,
    }
  }
  const message =
    silent.length > 0
      ? `${first.evaluated.message} No answer came from ${listOf(silent)}.`
      : first.evaluated.message
  return {
    ...first.evaluated,
    message,
    namesTarget: right.every(({ evaluated }) => evaluated.namesTarget),
    needsToken: right.some(({ evaluated }) => evaluated.needsToken),
  }
}

const countOf = (all: { evaluated: Evaluated }[], { evaluated }: { evaluated: Evaluated }) =>
  all.filter(other => other.evaluated.code === evaluated.code).length

function listOf(servers: string[]): string {
  const more = servers.length - serversNamed
  return servers.slice(0, serversNamed).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

async function resolveAddresses(lookup: Lookup, name: string): Promise<DnsAnswer> {
  const types = ['A', 'AAAA'] as const
  const answers = await Promise.all(types.map(type => lookup.resolve(name, type)))
  const records: DnsRecord[] = []
  for (const [index, answer] of answers.entries()) {
    if (!answer.reached) return answer
    records.push(...endOfChain(answer.records, name, types[index] ?? 'A'))
  }
  return { reached: true, records: distinct(records) }
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

async function runsInCircles(lookup: Lookup, first: DnsRecord): Promise<boolean> {
  const seen = new Set([first.name])
  let next: string | undefined = first.value
  for (let step = 0; next !== undefined && step < aliasesFollowed; step++) {
    if (seen.has(next)) return true
    seen.add(next)
    const owner: string = next
    const answer = await lookup.resolve(owner, 'CNAME')
    if (!answer.reached) return false
    next = answer.records.find(record => record.type === 'CNAME' && record.name === owner)?.value
  }
  return next !== undefined
}

const isAddressOf = ({ type, name }: DnsRecord, owner: string) =>
  name === owner && (type === 'A' || type === 'AAAA')

const brokenDnssec = (zone: string) =>
  `the DNSSEC signatures of ${zone} are wrong, so that many visitors and certificate authorities do not reach it. Correct its DS record at the registrar, or remove it`

function unreachable(name: string, why: string, expected: string[]): Evaluated {
  const message = `The DNS lookup for ${name} failed: ${why}. This says nothing about the record; it is checked again automatically.`
  const nothing = { found: [], inTheWay: null, namesTarget: false, needsToken: false, alias: null }
  return { code: 'dns_unreachable', message, expected, ...nothing } satisfies DnsVerdict & Evaluated
}

/**
 * Finds the zone of a name, which decides what record to create. Returns null if the zone cannot be found within 1.5
 * seconds.
 */
export async function findZoneName(dns: Dns, name: string): Promise<string | null> {
  const zone = await dns.startLookup(performance.now() + zoneMs).findZone(name)
  return zone.reached && zone.exists ? zone.name : null
}
