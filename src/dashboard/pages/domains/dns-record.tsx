import type { RecordFragment } from '../../generated/graphql.ts'
import { CopyButton } from '../../ui/copy.tsx'

/** The record to create, field by field as a registrar's form asks for it. */
export function DnsRecord({ record, domain }: { record: RecordFragment; domain: string }) {
  const type = record.alternativeType ? `${record.type} or ${record.alternativeType}` : record.type
  const fields = [
    { field: 'Type', value: type, copied: record.type },
    { field: 'Name', value: record.name, copied: record.name },
    { field: 'Value', value: record.value, copied: record.value },
    { field: 'TTL', value: String(record.ttl), copied: String(record.ttl) },
  ]
  return (
    <table className="record">
      <caption className="sr">The DNS record for {domain}</caption>
      <thead>
        <tr>
          <th scope="col">DNS record field</th>
          <th scope="col">Value</th>
          <th scope="col">
            <span className="sr">Copy</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ field, value, copied }) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            <td className="mono break">{value}</td>
            <td className="num">
              <CopyButton text={copied} what={`the ${field} for ${domain}`} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
