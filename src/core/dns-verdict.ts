/** Why a domain's DNS is not as it has to be. */
type DnsVerdictCode =
  | 'record_missing'
  | 'record_differs'
  | 'address_record_conflict'
  | 'apex_differs'
  | 'dns_unreachable'
  | 'loop'
  | 'claimed_elsewhere'

/** What one look at a domain's DNS has shown; a code of null says that the record is right. */
export type DnsVerdict = {
  code: DnsVerdictCode | null
  message: string
  /** The records that bear on it, five at most. */
  found: DnsRecordFound[]
  /** The values that would be right: the target, or for an apex the target's addresses. */
  expected: string[]
  /** The record that has to go before the expected one can work. */
  inTheWay: DnsRecordFound | null
}

export type DnsRecordFound = { type: string; name: string; value: string }

/** Asks DNS whether a domain points at its target; answers within five seconds, whatever DNS does. */
export type CheckDns = (name: string, target: string) => Promise<DnsVerdict>
