import type { Client, CombinedError } from 'urql'
import { toCell } from '../app/csv-cell.ts'
import {
  KeyUsageInFullDocument,
  type ThroughFragment,
  UsageInFullDocument,
  type UsageInFullQueryVariables,
} from '../generated/pages/graphql.ts'
import { download } from '../ui/download.ts'

type Stepped = { days: Timed<'date'>[]; hours: Timed<'at'>[] }
type Timed<Name extends string> = { [Each in Name]: string } & { doors: ThroughFragment[] }
type KeyUse = Stepped & { key: { name: string; prefix: string } }

const counts = ['requests', 'served', 'faulty', 'failed', 'refusals'] as const
const columns = ['from', 'key', 'prefix', 'door', ...counts]

/**
 * Downloads the usage as CSV, or returns the error. Sends one request per key, because one request for all keys would
 * cost more than a request may cost.
 */
export async function downloadUsage(
  client: Client,
  span: string,
  variables: UsageInFullQueryVariables,
): Promise<CombinedError | undefined> {
  const context = { requestPolicy: 'network-only' } as const
  const { data, error } = await client.query(UsageInFullDocument, variables, context)
  if (error || !data?.project) return error
  const { slug, usage } = data.project
  const { days, hours } = variables
  const keys: KeyUse[] = []
  for (const { key } of usage.keys) {
    const { id, name, prefix } = key
    const { data, error } = await client.query(KeyUsageInFullDocument, { id, days, hours }, context)
    if (error || !data?.node || !('usage' in data.node)) return error
    keys.push({ key: { name, prefix }, ...data.node.usage })
  }
  download(`usage-${slug}-${span}.csv`, new Blob([toCsv(usage, keys)], { type: 'text/csv' }))
  return undefined
}

/**
 * Writes the usage as CSV. Each line counts the requests of one API key to one API (column `door`) in one day or hour;
 * lines without requests are left out. The last lines of a day or hour have no key: these lines count the requests of
 * the keys that are not listed.
 */
function toCsv(usage: Stepped, keys: KeyUse[]): string {
  const lines = keys.flatMap(({ key, ...used }) =>
    rowsOf(used).map(row => ({ ...row, key: key.name, prefix: key.prefix })),
  )
  const rest = rowsOf(usage).map(row => {
    const counted = lines.filter(({ from, door }) => from === row.from && door === row.door)
    const left = Object.fromEntries(
      counts.map(name => [name, row[name] - counted.reduce((sum, line) => sum + line[name], 0)]),
    )
    return { ...row, ...left, key: '', prefix: '' }
  })
  const used = [...lines, ...rest].filter(({ requests, refusals }) => requests + refusals > 0)
  const sorted = used.toSorted((one, other) => (one.from < other.from ? -1 : one.from > other.from ? 1 : 0))
  const cells = sorted.map(({ from, key, prefix, door, ...row }) => [
    from,
    key,
    prefix,
    door,
    ...counts.map(name => row[name]),
  ])
  return [columns, ...cells].map(line => `${line.map(toCell).join(',')}\r\n`).join('')
}

function rowsOf({ days, hours }: Stepped) {
  const steps = [
    ...days.map(day => ({ from: day.date, doors: day.doors })),
    ...hours.map(hour => ({ from: hour.at, doors: hour.doors })),
  ]
  return steps.flatMap(({ from, doors }) => doors.map(door => ({ from, ...door })))
}
