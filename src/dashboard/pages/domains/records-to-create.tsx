import type { DomainRowFragment } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { DnsRecord } from './dns-record.tsx'

/** Lists the DNS record to create, then address records as an alternative, then the record that proves ownership. */
export function RecordsToCreate({ domain }: { domain: DomainRowFragment }) {
  const { displayName, record, addressRecords, ownershipRecord, verdict, host } = domain
  const isProofNeeded = verdict?.code === 'ownership_required' && host !== 'live'
  return (
    <>
      <DnsRecord records={[record]} domain={displayName} />
      {domain.apex && <p className="small soft">{t.domains.dnsZoneBeginsAtThis}</p>}
      {addressRecords.length > 0 && (
        <details>
          <summary>
            {domain.apex ? t.domains.withoutAliasOrAnameAddresses : t.domains.withoutCnameAddresses}
          </summary>
          <p className="small soft">
            {domain.apex ? t.domains.ifYourDnsProviderHas : t.domains.youCanCreateAllOf}
          </p>
          <DnsRecord
            records={addressRecords.map(one => ({ ...one, name: record.name }))}
            domain={t.domains.withoutRecord(displayName, domain.apex ? 'ALIAS' : 'CNAME')}
          />
        </details>
      )}
      <details open={isProofNeeded}>
        <summary>{isProofNeeded ? t.domains.createProofAsWell : t.domains.proofOfOwnership}</summary>
        <p className="small soft">{t.domains.requiredIfAnotherProjectHas}</p>
        <DnsRecord records={[ownershipRecord]} domain={t.domains.ownershipOfDisplayName(displayName)} />
      </details>
    </>
  )
}
