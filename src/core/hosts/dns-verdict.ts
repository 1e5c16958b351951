/** The fault of a domain's DNS. */
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

/** The result of one DNS check; the code is null if the record is right. */
export type DnsVerdict = {
  code: DnsVerdictCode | null
  message: string
  /** The records that caused the verdict, at most five. */
  found: DnsRecordFound[]
  /** The right values: the target, or for an apex the target's addresses. */
  expected: string[]
  /** The record that has to be deleted before the expected one can work. */
  inTheWay: DnsRecordFound | null
  /** The provider of the zone's name servers; null if we do not know it. */
  provider?: DnsProvider | null
}

/** `url` is the page where the customer edits the records. */
export type DnsProvider = { name: string; url: string }

export type DnsRecordFound = { type: string; name: string; value: string }

/** How well the records prove who owns the name, which matters if several projects want it. */
export type DnsProof = {
  /** True if a CNAME names the project's own platform host, which proves more than addresses shared by all. */
  namesTarget: boolean
  /** True if the name has addresses although it could have a CNAME, so that only a token proves ownership. */
  needsToken: boolean
  /** The tokens in the TXT records of all the name's servers; null if the lookup failed. */
  tokens: string[] | null
  /** Tokens that only some of the name servers return yet. */
  partialTokens: string[]
}

/** `zone` is the zone that holds the name; null if it could not be found. */
export type DnsLook = { verdict: DnsVerdict; proof: DnsProof; zone: string | null }

/** Checks whether a domain points at its target; returns within five seconds, whatever DNS does. */
export type CheckDns = (name: string, target: string) => Promise<DnsLook>

/** Finds the zone that holds a name, within two seconds; null if it cannot be found. */
export type FindZone = (name: string) => Promise<string | null>
