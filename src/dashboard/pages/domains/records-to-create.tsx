import type { DomainRowFragment } from '../../generated/pages/graphql.ts'
import { DnsRecord } from './dns-record.tsx'

/** The specification's record first, then its alternatives, then the record that proves ownership. */
export function RecordsToCreate({ domain }: { domain: DomainRowFragment }) {
  const { displayName, record, addressRecords, ownershipRecord, verdict, host } = domain
  const isProofNeeded = verdict?.code === 'ownership_required' && host !== 'live'
  return (
    <>
      <DnsRecord records={[record]} domain={displayName} />
      {domain.apex && (
        <p className="small soft">
          An apex domain has no subdomain label and cannot carry a CNAME. Create an ALIAS or ANAME record
          instead; not every DNS provider supports these.
        </p>
      )}
      {addressRecords.length > 0 && (
        <details>
          <summary>Without ALIAS or ANAME: addresses</summary>
          <p className="small soft">
            Where your DNS provider has neither, create all of these instead. The addresses stay.
          </p>
          <DnsRecord records={addressRecords} domain={`${displayName} without ALIAS`} />
        </details>
      )}
      <details open={isProofNeeded}>
        <summary>{isProofNeeded ? 'Create this record as well: ' : ''}Proof of ownership</summary>
        <p className="small soft">
          Needed where another project has claimed or held this name, and stronger than any other record: with
          it the name comes here at once.
        </p>
        <DnsRecord records={[ownershipRecord]} domain={`the ownership of ${displayName}`} />
      </details>
    </>
  )
}
