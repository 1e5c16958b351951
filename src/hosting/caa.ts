import type { DnsRecordFound } from '../core/hosts/dns-verdict.ts'
import { registeredName } from '../core/hosts/names.ts'
import type { Dns, DnsAnswer } from './dns.ts'
import type { CaaFields, DnsRecord } from './dns-question.ts'

/** How a CA names itself in CAA records (directory meta caaIdentities), and our account there (RFC 8657). */
export type CaaIssuer = { identities: string[]; accountUrl: string | null }

export type CaaVerdict =
  | { outcome: 'allowed' }
  | { outcome: 'blocked'; message: string; record: DnsRecordFound }
  | { outcome: 'unreachable'; message: string }

const lookMs = 4_500

/** RFC 8659: from the name upwards, the first set that is not empty decides. */
export async function checkCaa(dns: Dns, name: string, issuer: CaaIssuer): Promise<CaaVerdict> {
  // A CA that does not say its name cannot be looked for; it judges CAA itself in any case.
  if (issuer.identities.length === 0) return { outcome: 'allowed' }
  const deadline = performance.now() + lookMs
  const owners = namesAbove(name)
  const answers = await Promise.all(owners.map(owner => askCaa(dns, owner, registeredName(name), deadline)))
  for (const [index, answer] of answers.entries()) {
    const owner = owners[index] ?? name
    if (!answer.reached) {
      return {
        outcome: 'unreachable',
        message: `The CAA records of ${owner} could not be asked for: ${answer.why}.`,
      }
    }
    const set = answer.records.filter(record => record.caa)
    if (set.length > 0) return judge(owner, set, issuer)
  }
  return { outcome: 'allowed' }
}

function namesAbove(name: string): string[] {
  const labels = name.split('.')
  return labels.map((_, index) => labels.slice(index).join('.'))
}

/** Aliases are followed to their records, but nobody climbs from where they lead (RFC 8659, section 3). */
async function askCaa(dns: Dns, owner: string, registered: string, deadline: number): Promise<DnsAnswer> {
  const inOwnZone = owner === registered || owner.endsWith(`.${registered}`)
  const answer = inOwnZone
    ? await dns.askZone(owner, ['CAA'], deadline)
    : await dns.resolve(owner, 'CAA', deadline)
  const alias = answer.reached && answer.records.some(record => record.type === 'CNAME')
  const complete = answer.reached && answer.records.some(record => record.caa)
  return alias && !complete ? dns.resolve(owner, 'CAA', deadline) : answer
}

function judge(owner: string, set: DnsRecord[], issuer: CaaIssuer): CaaVerdict {
  const known = ['issue', 'issuewild', 'iodef', 'issuemail', 'issuevmc', 'contactemail', 'contactphone']
  const strange = set.find(({ caa }) => caa?.critical && !known.includes(caa.tag.toLowerCase()))
  if (strange) return blocked(owner, strange, 'is critical and has a meaning that no CA here knows')
  const issue = set.filter(({ caa }) => caa?.tag.toLowerCase() === 'issue')
  const faults = issue.map(record => ({ record, fault: record.caa ? faultOf(record.caa, issuer) : null }))
  const authority = issuer.identities.join(' or ')
  // A record that names our authority and still shuts it out is the one to change.
  const worst = faults.find(({ fault }) => fault !== 'authority') ?? faults[0]
  if (!worst || faults.some(({ fault }) => fault === null)) return { outcome: 'allowed' }
  return blocked(owner, worst.record, words[worst.fault ?? 'authority'](authority))
}

const words = {
  authority: (authority: string) => `does not admit the certificate authority ${authority}`,
  method: (authority: string) =>
    `admits ${authority} by its validationmethods without http-01, which is how the platform proves a name`,
  account: (authority: string) =>
    `admits ${authority} by its accounturi for another account than the platform's`,
}

/** Why the record does not let us have a certificate; null where it does (RFC 8657 for the parameters). */
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
  const message = `The CAA record "${name} CAA ${value}", which decides for ${owner}, ${why}. Change it or delete it.`
  return { outcome: 'blocked', record: { type, name, value }, message }
}
