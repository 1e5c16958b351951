import type { DnsQuestion, DnsRecord, DnsReply, DnsServer, DnsType } from './dns-question.ts'

/** A failed lookup is not the same as "the record does not exist". */
export type DnsAnswer = { reached: true; records: DnsRecord[] } | Unreached
export type Unreached = { reached: false; why: string }

/** Asks one server, within the deadline and the share of the sockets of its lookup. */
export type Ask = (server: DnsServer, question: DnsQuestion) => Promise<DnsReply>
/** Asks the configured resolvers, which may answer from their caches. */
export type Resolve = (name: string, type: DnsType) => Promise<DnsAnswer>

export const isAnswer = ({ code }: DnsReply) => code === 'NOERROR' || code === 'NXDOMAIN'

/** Completes "ns1.example.com ...". */
export function describeFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code) return `cannot be reached (${code})`
  return error instanceof Error && error.message === 'timed out'
    ? 'did not answer in time'
    : 'gave no readable answer'
}
