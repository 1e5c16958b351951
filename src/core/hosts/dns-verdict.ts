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
  /** The right values: the target, or for an apex the addresses of the target. */
  expected: string[]
  /** The record that must be deleted before the expected record can work. */
  inTheWay: DnsRecordFound | null
  /** The provider of the zone's name servers; null if unknown. */
  provider?: DnsProvider | null
}

/** `url` is the page where the customer edits the records. */
export type DnsProvider = { name: string; url: string }

export type DnsRecordFound = { type: string; name: string; value: string }

/** How well the records prove ownership, for the case that several projects claim the name. */
export type DnsProof = {
  /**
   * True if a CNAME leads to the project's platform host. This proves more than addresses, which all projects share.
   */
  namesTarget: boolean
  /** True if the name has addresses although it could have a CNAME: then only the token proves ownership. */
  needsToken: boolean
  /** The tokens in TXT records that all name servers return; null if the lookup failed. */
  tokens: string[] | null
  /** Tokens that so far only some name servers return. */
  partialTokens: string[]
}

/** The result of a check. `zone` is the zone that holds the name; null if unknown. */
export type DnsLook = { verdict: DnsVerdict; proof: DnsProof; zone: string | null }

/** Checks whether a name leads to its target. Returns within five seconds, even if no name server answers. */
export type CheckDns = (name: string, target: string) => Promise<DnsLook>

/** Finds the zone that holds a name. Returns null if no zone is found in time. */
export type FindZone = (name: string) => Promise<string | null>
