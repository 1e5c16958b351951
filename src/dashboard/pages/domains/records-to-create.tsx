import type { DomainRowFragment } from '../../generated/pages/graphql.ts'
import { DnsRecord } from './dns-record.tsx'

/** Lists the record that the specification requires, then alternatives, then the record that proves ownership. */
export function RecordsToCreate({ domain }: { domain: DomainRowFragment }) {
  const { displayName, record, addressRecords, ownershipRecord, verdict, host } = domain
  const isProofNeeded = verdict?.code === 'ownership_required' && host !== 'live'
  return (
    <>
      <DnsRecord records={[record]} domain={displayName} />
      {domain.apex && (
        <p className="small soft">
          A DNS zone begins at this name, so it can't have a CNAME. Create an ALIAS or ANAME record instead;
          not every DNS provider supports these.
        </p>
      )}
      {addressRecords.length > 0 && (
        <details>
          <summary>{domain.apex ? 'Without ALIAS or ANAME: addresses' : 'Without CNAME: addresses'}</summary>
          <p className="small soft">
            {domain.apex
              ? 'If your DNS provider has neither, create all of these instead. The addresses stay the same.'
              : 'You can create all of these instead, together with the proof of ownership below. The addresses stay the same.'}
          </p>
          <DnsRecord
            records={addressRecords.map(one => ({ ...one, name: record.name }))}
            domain={`${displayName} without ${domain.apex ? 'ALIAS' : 'CNAME'}`}
          />
        </details>
      )}
      <details open={isProofNeeded}>
        <summary>{isProofNeeded ? 'Create this record as well: ' : ''}Proof of ownership</summary>
        <p className="small soft">
          Required if another project has claimed or held this name, or if you use addresses instead of a
          CNAME. It overrides any other record: the name moves to this project at once.
        </p>
        <DnsRecord records={[ownershipRecord]} domain={`the ownership of ${displayName}`} />
      </details>
    </>
  )
}
