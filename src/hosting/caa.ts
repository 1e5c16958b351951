import type { DnsRecordFound } from '../core/hosts/dns-verdict.ts'
import { registeredName } from '../core/hosts/names.ts'
import type { Dns, Lookup } from './dns.ts'
import type { Unreached } from './dns-answer.ts'
import type { CaaFields, DnsRecord } from './dns-question.ts'

/** The CA's names in CAA records (`caaIdentities` in its directory), and our account URL there (RFC 8657). */
export type CaaIssuer = { identities: string[]; accountUrl: string | null }

export type CaaVerdict =
  | { outcome: 'allowed' }
  | { outcome: 'blocked'; message: string; record: DnsRecordFound }
  | { outcome: 'unreachable'; message: string }

const timeoutMs = 4_500

/** Checks CAA. From the name upwards, the first record set that is not empty decides (RFC 8659). */
export async function checkCaa(dns: Dns, name: string, issuer: CaaIssuer): Promise<CaaVerdict> {
  // Without the CA's name no record can match, so leave the check to the CA, which checks CAA anyway.
  if (issuer.identities.length === 0) return { outcome: 'allowed' }
  const lookup = dns.startLookup(performance.now() + timeoutMs)
  // `findZone` also finds the zones of the parent domains. The lookup caches these zones for the queries below.
  await lookup.findZone(name)
  const owners = namesAbove(name)
  const answers = await Promise.all(owners.map(owner => askCaa(lookup, owner, registeredName(name))))
  for (const [index, answer] of answers.entries()) {
    const owner = owners[index] ?? name
    if ('why' in answer) {
      const message = `The CAA records of ${owner} could not be read: ${answer.why}.`
      return { outcome: 'unreachable', message }
    }
    const verdicts = answer.sets.map(set => evaluate(owner, set, issuer))
    // The authority may query any of the name servers, so one blocking server is enough.
    const blocked = verdicts.find(({ outcome }) => outcome === 'blocked')
    if (blocked) return blocked
    if (answer.sets.length > 0 && answer.sets.length === answer.servers) return { outcome: 'allowed' }
  }
  return { outcome: 'allowed' }
}

function namesAbove(name: string): string[] {
  const labels = name.split('.')
  return labels.map((_, index) => labels.slice(index).join('.'))
}

/** The record sets that are not empty, and the number of servers that answered. */
type Sets = { sets: DnsRecord[][]; servers: number } | Unreached

/**
 * Queries the CAA records. Follows aliases to their records, but does not check the names above an alias's target (RFC
 * 8659, section 3).
 */
async function askCaa(lookup: Lookup, owner: string, registered: string): Promise<Sets> {
  const inOwnZone = owner === registered || owner.endsWith(`.${registered}`)
  const answer = inOwnZone ? await lookup.askZone(owner, ['CAA']) : await resolveCaa(lookup, owner)
  if (!answer.reached) return answer
  const sets: DnsRecord[][] = []
  for (const { records } of answer.answers) {
    const own = records.filter(record => record.caa)
    const alias = records.find(record => record.type === 'CNAME' && record.name === owner)
    const behind = own.length === 0 && alias ? await lookup.resolve(alias.value, 'CAA') : null
    if (behind && !behind.reached) return behind
    const set = behind ? behind.records.filter(record => record.caa) : own
    if (set.length > 0) sets.push(set)
  }
  return { sets, servers: answer.answers.length }
}

async function resolveCaa(lookup: Lookup, owner: string) {
  const answer = await lookup.resolve(owner, 'CAA')
  return answer.reached ? { reached: true as const, answers: [{ records: answer.records }] } : answer
}

function evaluate(owner: string, set: DnsRecord[], issuer: CaaIssuer): CaaVerdict {
  const known = ['issue', 'issuewild', 'iodef', 'issuemail', 'issuevmc', 'contactemail', 'contactphone']
  const strange = set.find(({ caa }) => caa?.critical && !known.includes(caa.tag.toLowerCase()))
  if (strange)
    return blocked(
      owner,
      strange,
      'is critical, and the certificate authorities of the platform do not know its tag',
    )
  const issue = set.filter(({ caa }) => caa?.tag.toLowerCase() === 'issue')
  const faults = issue.map(record => ({ record, fault: record.caa ? faultOf(record.caa, issuer) : null }))
  const authority = issuer.identities.join(' or ')
  // Prefer a record that names our authority but forbids our certificate by its parameters, because the customer must
  // change this record.
  const worst = faults.find(({ fault }) => fault !== 'authority') ?? faults[0]
  if (!worst || faults.some(({ fault }) => fault === null)) return { outcome: 'allowed' }
  return blocked(owner, worst.record, words[worst.fault ?? 'authority'](authority))
}

const words = {
  authority: (authority: string) => `does not allow the certificate authority ${authority}`,
  method: (authority: string) =>
    `allows ${authority} only with validationmethods other than http-01, but the platform uses http-01`,
  account: (authority: string) =>
    `allows ${authority} only for an ACME account (accounturi) that is not the platform's`,
}

/** Returns why the record forbids our certificate; null if it allows it. RFC 8657 defines the parameters. */
function faultOf(caa: CaaFields, issuer: CaaIssuer): keyof typeof words | null {
  const [domain = '', ...parameters] = caa.value.split(';').map(part => part.trim())
  if (!issuer.identities.includes(domain.toLowerCase().replace(/\.$/, ''))) return 'authority'
  const values = new Map(
    parameters.map(text => [text.split('=')[0]?.trim().toLowerCase(), text.replace(/^[^=]*=\s*/, '')]),
  )
  const methods = values.get('validationmethods')
  const account = values.get('accounturi')
  if (methods !== undefined && !methods.split(',').some(method => method.trim() === 'http-01'))
    return 'method'
  return account === undefined || account === issuer.accountUrl ? null : 'account'
}

function blocked(owner: string, record: DnsRecord, why: string): CaaVerdict {
  const { type, name, value } = record
  const message = `The CAA record "${name} CAA ${value}", which applies to ${owner}, ${why}. Change or delete this record.`
  return { outcome: 'blocked', record: { type, name, value }, message }
}
