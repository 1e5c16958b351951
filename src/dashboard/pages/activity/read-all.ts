import type { Client, CombinedError } from 'urql'
import { toCell } from '../../app/csv-cell.ts'
import { problemOf } from '../../app/problem.ts'
import {
  ActivityDocument,
  type ActivityQueryVariables,
  type ActivityRowFragment,
} from '../../generated/pages/graphql.ts'

export type Format = 'csv' | 'ndjson'
type Filters = Omit<ActivityQueryVariables, 'first' | 'after'>

const pageSize = 100
/** Wait for a used-up budget at most this long. */
const longestWaitSeconds = 60

/** Reads all entries that match the filters, the newest first, as the text of a file. */
export async function readAll(
  client: Client,
  filters: Filters,
  format: Format,
): Promise<{ text: string; count: number; error?: CombinedError }> {
  const entries: ActivityRowFragment[] = []
  let after: string | null = null
  do {
    const { data, error } = await readPage(client, { ...filters, first: pageSize, after })
    if (!data?.auditLog) return { text: '', count: 0, ...(error && { error }) }
    entries.push(...data.auditLog.nodes)
    const { hasNextPage, endCursor }: { hasNextPage: boolean; endCursor: string | null } =
      data.auditLog.pageInfo
    after = hasNextPage ? endCursor : null
  } while (after !== null)
  const lines = format === 'csv' ? [columns, ...entries.map(rowOf)].map(csvLine) : entries.map(jsonLine)
  return { text: lines.join(''), count: entries.length }
}

async function readPage(client: Client, variables: ActivityQueryVariables) {
  for (;;) {
    const answer = await client.query(ActivityDocument, variables, { requestPolicy: 'network-only' })
    const { code, retryAfterSeconds = 0 } = answer.error ? problemOf(answer.error) : { code: null }
    if (code !== 'rate_limited' || retryAfterSeconds > longestWaitSeconds) return answer
    await new Promise(done => setTimeout(done, Math.max(1, retryAfterSeconds) * 1000))
  }
}

const columns = [
  ...['at', 'type', 'subject', 'project', 'actor type', 'actor id', 'actor', 'door', 'address', 'request'],
  ...['data', 'previous'],
]

const rowOf = (entry: ActivityRowFragment): string[] => {
  const { at, type, subject, projectSlug, actor, door, address, requestId, data, previous } = entry
  const json = (value: unknown) => (value === null || value === undefined ? '' : JSON.stringify(value))
  return [
    ...[at, type, subject, projectSlug, actor.type, actor.id, actor.name, door, address, requestId],
    ...[json(data), json(previous)],
  ].map(value => value ?? '')
}

const csvLine = (cells: readonly string[]) => `${cells.map(toCell).join(',')}\r\n`

/** Formats an entry like REST, with the same id. */
function jsonLine({ eventId, type, at, ...entry }: ActivityRowFragment): string {
  const { subject, data, previous, actor, door, address, requestId, projectSlug } = entry
  const shown = { id: eventId, type, timestamp: at, project: projectSlug, subject, data, previous }
  const whole = { ...shown, actor, door, address, requestId }
  return `${JSON.stringify(whole, (_, value) => (value === null ? undefined : value))}\n`
}
