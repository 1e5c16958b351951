/** Why a domain's DNS is not as it has to be. */
type DnsVerdictCode =
  | 'record_missing'
  | 'record_differs'
  | 'address_record_conflict'
  | 'apex_differs'
  | 'dns_unreachable'
  | 'loop'
  | 'proxied'
  | 'several_cnames'
  | 'ownership_required'
  | 'claimed_elsewhere'
  | 'spreading'

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
  /** The provider of the zone's name servers; null if we do not know it. */
  provider?: DnsProvider | null
}

/** Where a zone's records are edited. */
export type DnsProvider = { name: string; url: string }

export type DnsRecordFound = { type: string; name: string; value: string }

/** How well the records prove whose the name is, which matters if several projects want it. */
export type DnsProof = {
  /** A CNAME names the project's own platform host; addresses are the same for all projects. */
  namesTarget: boolean
  /** The name has addresses although it could have a CNAME, so that only the project's token proves anything. */
  needsToken: boolean
  /** The tokens in the TXT records of all name servers of the name; null if DNS could not be read. */
  tokens: string[] | null
  /** Tokens that only some of the name servers have yet. */
  partialTokens: string[]
}

/** `zone` is the zone that holds the name; null if it could not be found. */
export type DnsLook = { verdict: DnsVerdict; proof: DnsProof; zone: string | null }

/** Reads from DNS whether a domain points at its target; returns within five seconds, whatever DNS does. */
export type CheckDns = (name: string, target: string) => Promise<DnsLook>

/** Finds the zone that holds a name, within two seconds; null if it cannot be found. */
export type FindZone = (name: string) => Promise<string | null>
