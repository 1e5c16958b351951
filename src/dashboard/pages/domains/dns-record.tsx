import type { RecordFragment } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { CopyButton } from '../../ui/copy.tsx'

type Props = {
  /**
   * The records that the reader has to create. If the list has several records, the reader has to create all of them.
   */
  records: readonly (Omit<RecordFragment, 'alternativeType'> & { alternativeType?: string | null })[]
  /**
   * The text after "The DNS record for" in the caption of the table. The text is a domain, or a phrase about a domain.
   */
  domain: string
}

/** Shows a record to create in one line, as DNS providers do. The whole line or each part can be copied. */
export function DnsRecord({ records, domain }: Props) {
  const all = records.map(({ type, name, value, ttl }) => [type, name, value, ttl].join(' ')).join('\n')
  const zone = records.map(record => record.zoneLine).join('\n')
  return (
    <div className="stack-tight">
      <table className="record">
        <caption className="sr">{t.domains.dnsRecords(records.length, domain)}</caption>
        <thead>
          <tr>
            <th scope="col">{t.domains.type}</th>
            <th scope="col">{t.domains.name}</th>
            <th scope="col">{t.domains.value}</th>
            <th scope="col">TTL</th>
          </tr>
        </thead>
        <tbody>
          {records.map(({ type, alternativeType, name, value, ttl }) => (
            <tr key={`${type} ${value}`}>
              <td className="mono">
                {alternativeType ? t.domains.typeOrAlternativeType(type, alternativeType) : type}
              </td>
              <td className="mono break">
                {name} <CopyButton text={name} what={t.domains.nameForDomain(domain)} />
              </td>
              <td className="mono break">
                {value} <CopyButton text={value} what={t.domains.valueValueForDomain(value, domain)} />
              </td>
              <td className="mono">{ttl}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="row">
        <CopyButton
          text={all}
          label={t.domains.copyAll}
          what={t.domains.allOfRecords(records.length, domain)}
        />
        <CopyButton
          text={zone}
          label={t.domains.asZoneFile}
          what={t.domains.asZoneFileRecords(records.length, domain)}
        />
      </div>
    </div>
  )
}
