import type { RecordFragment } from '../../generated/pages/graphql.ts'
import { CopyButton } from '../../ui/copy.tsx'

type Props = {
  /** Several records if all of them have to be created. */
  records: readonly (Omit<RecordFragment, 'alternativeType'> & { alternativeType?: string | null })[]
  /** Completes "The DNS record for ...". */
  domain: string
}

/** Shows a record to create in one line, as DNS providers do. The whole line or each part can be copied. */
export function DnsRecord({ records, domain }: Props) {
  const what = records.length > 1 ? 'records' : 'record'
  const all = records.map(({ type, name, value, ttl }) => [type, name, value, ttl].join(' ')).join('\n')
  const zone = records.map(record => record.zoneLine).join('\n')
  return (
    <div className="stack-tight">
      <table className="record">
        <caption className="sr">
          The DNS {what} for {domain}
        </caption>
        <thead>
          <tr>
            <th scope="col">Type</th>
            <th scope="col">Name</th>
            <th scope="col">Value</th>
            <th scope="col">TTL</th>
          </tr>
        </thead>
        <tbody>
          {records.map(({ type, alternativeType, name, value, ttl }) => (
            <tr key={`${type} ${value}`}>
              <td className="mono">{alternativeType ? `${type} or ${alternativeType}` : type}</td>
              <td className="mono break">
                {name} <CopyButton text={name} what={`the Name for ${domain}`} />
              </td>
              <td className="mono break">
                {value} <CopyButton text={value} what={`the Value ${value} for ${domain}`} />
              </td>
              <td className="mono">{ttl}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="row">
        <CopyButton text={all} label="Copy all" what={`all of the ${what} for ${domain}`} />
        <CopyButton text={zone} label="As zone file" what={`as zone file the ${what} for ${domain}`} />
      </div>
    </div>
  )
}
