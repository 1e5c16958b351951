import type { DnsRecordFound } from '../core/hosts/dns-verdict.ts'
import { isPublicAddress } from './addresses.ts'
import type { DnsRecord } from './dns-question.ts'

const recordsShown = 5

export function distinct(records: DnsRecord[]): DnsRecord[] {
  return [
    ...new Map(records.map(record => [`${record.name} ${record.type} ${record.value}`, record])).values(),
  ]
}

export function shown(records: DnsRecord[]): DnsRecordFound[] {
  return records.slice(0, recordsShown).map(asFound)
}

export function asFound(record: DnsRecord): DnsRecordFound {
  return { type: record.type, name: record.name, value: shownValue(record) }
}

export function line(record: DnsRecord): string {
  return `${record.name} ${record.type} ${shownValue(record)}`
}

export function shownValues(records: DnsRecord[]): string[] {
  return [...new Set(records.map(shownValue).toSorted())].slice(0, recordsShown)
}

/** Hides private addresses, which the operator's own name servers may return and customers must not see. */
function shownValue({ type, value }: DnsRecord): string {
  const isAddress = type === 'A' || type === 'AAAA'
  return isAddress && !isPublicAddress(value) ? 'an address that is not public' : value
}
