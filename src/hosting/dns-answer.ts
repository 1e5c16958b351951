import type { DnsQuestion, DnsRecord, DnsReply, DnsServer, DnsType } from './dns-question.ts'

/** The records of a name, which may be none, or the reason why the lookup failed. */
export type DnsAnswer = { reached: true; records: DnsRecord[] } | Unreached
export type Unreached = { reached: false; why: string }

/**
 * Queries one DNS server. If too many queries run at once, the query waits for a turn; the lookups take turns fairly.
 * The query ends at the deadline of the lookup at the latest. Throws if the lookup has sent too many queries.
 */
export type Ask = (server: DnsServer, question: DnsQuestion) => Promise<DnsReply>
/** Queries the configured resolvers, which may answer from caches. */
export type Resolve = (name: string, type: DnsType) => Promise<DnsAnswer>

export const isAnswer = ({ code }: DnsReply) => code === 'NOERROR' || code === 'NXDOMAIN'

export const tooManyQuestions = 'too many questions'

/** Completes "ns1.example.com ...". */
export function describeFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code) return `cannot be reached (${code})`
  const message = error instanceof Error ? error.message : ''
  if (message === tooManyQuestions) return 'was not asked, because the lookup needs too many questions'
  return message === 'timed out' ? 'did not answer in time' : 'gave no readable answer'
}
