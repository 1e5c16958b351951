import type { CheckDns, DnsRecordFound, DnsVerdict } from '../core/dns-verdict.ts'
import { isApex } from '../core/domain-names.ts'
import type { Dns } from './dns.ts'
import type { DnsRecord, DnsType } from './dns-question.ts'

const lookMs = 4_500
const recordsShown = 5
const aliasesFollowed = 10

export function openDnsCheck(dns: Dns): CheckDns {
  return (name, target) => {
    const deadline = performance.now() + lookMs
    return isApex(name)
      ? lookAtApex(dns, name, target, deadline)
      : lookAtSubdomain(dns, name, target, deadline)
  }
}

async function lookAtSubdomain(
  dns: Dns,
  name: string,
  target: string,
  deadline: number,
): Promise<DnsVerdict> {
  const expected = [target]
  const answer = await dns.askZone(name, ['CNAME', 'A', 'AAAA'], deadline)
  if (!answer.reached) return unreachable(name, answer.why, expected)

  const own = distinct(answer.records.filter(record => record.name === name))
  const found = shown(own)
  const address = own.find(record => record.type === 'A' || record.type === 'AAAA')
  const alias = own.find(record => record.type === 'CNAME')
  const verdict = (
    code: DnsVerdict['code'],
    message: string,
    inTheWay: DnsRecord | null = null,
  ): DnsVerdict => ({
    code,
    message,
    found,
    expected,
    inTheWay: inTheWay && asFound(inTheWay),
  })

  if (address) {
    const message = `The record "${line(address)}" stands where the CNAME has to be. Delete it, then create the CNAME.`
    return verdict('address_record_conflict', message, address)
  }
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
async function lookAtApex(dns: Dns, name: string, target: string, deadline: number): Promise<DnsVerdict> {
  const [own, ofTarget] = await Promise.all([
    dns.askZone(name, ['CNAME', 'A', 'AAAA'], deadline),
    resolveAddresses(dns, target, deadline),
  ])
  if (!own.reached) return unreachable(name, own.why, [target])
  if (!ofTarget.reached) return unreachable(target, ofTarget.why, [target])

  const ownRecords = distinct(own.records.filter(one => one.name === name))
  const addresses = ownRecords.filter(one => one.type !== 'CNAME')
  const alias = ownRecords.find(one => one.type === 'CNAME')
  const found = shown(ownRecords)
  const expected = ofTarget.records
    .map(one => one.value)
    .toSorted()
    .slice(0, recordsShown)
  const verdict = (
    code: DnsVerdict['code'],
    message: string,
    inTheWay: DnsRecord | null = null,
  ): DnsVerdict => ({
    code,
    message,
    found,
    expected,
    inTheWay: inTheWay && asFound(inTheWay),
  })

  if (alias?.value === target) return verdict(null, `${name} points at ${target}.`)
  if (alias && (await runsInCircles(dns, alias, deadline))) {
    return verdict('loop', `The CNAME of ${name} leads back to itself.`, alias)
  }
  if (ownRecords.length === 0) {
    return verdict(
      'record_missing',
      `${name} has no ALIAS or ANAME record yet. New records can take up to 48 hours.`,
    )
  }
  const wanted = new Set(ofTarget.records.map(one => one.value))
  if (wanted.size === 0) return unreachable(target, 'it has no address yet', [target])
  const has = new Set(addresses.map(one => one.value))
  if (wanted.symmetricDifference(has).size === 0) return verdict(null, `${name} points at ${target}.`)
  const foreign = alias ?? addresses.find(one => !wanted.has(one.value)) ?? null
  return verdict(
    'apex_differs',
    `${name} leads to other addresses than ${target}. Replace its records by one ALIAS or ANAME record.`,
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

function unreachable(name: string, why: string, expected: string[]): DnsVerdict {
  const message = `DNS could not be asked about ${name}: ${why}. That is no verdict on the record; it is asked again.`
  return { code: 'dns_unreachable', message, found: [], expected, inTheWay: null }
}

function distinct(records: DnsRecord[]): DnsRecord[] {
  return [...new Map(records.map(record => [line(record), record])).values()]
}

function shown(records: DnsRecord[]): DnsRecordFound[] {
  return records.slice(0, recordsShown).map(asFound)
}

function asFound({ type, name, value }: DnsRecord): DnsRecordFound {
  return { type, name, value }
}

function line(record: DnsRecord): string {
  return `${record.name} ${record.type} ${record.value}`
}
