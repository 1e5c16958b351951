import type { Client } from 'urql'
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
/**
 * If the budget is used up, but allows requests again within this time, waits and then continues. If the wait would be
 * longer, the export fails.
 */
const longestWaitSeconds = 60

/**
 * Reads all entries that match an operator's filters, the oldest first. Throws an error whose message can be shown to
 * the reader.
 */
export async function readAll(client: Client, filters: Filters, format: Format): Promise<Blob> {
  const entries: ActivityRowFragment[] = []
  let after: string | null = null
  do {
    const { nodes, pageInfo } = await readPage(client, { ...filters, first: pageSize, after })
    entries.push(...nodes)
    after = pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null
  } while (after !== null)
  entries.reverse()
  const lines = format === 'csv' ? [columns, ...entries.map(rowOf)].map(csvLine) : entries.map(jsonLine)
  return new Blob(lines, { type: format === 'csv' ? 'text/csv' : 'application/x-ndjson' })
}

async function readPage(client: Client, variables: ActivityQueryVariables) {
  for (;;) {
    const { data, error } = await client.query(ActivityDocument, variables, { requestPolicy: 'network-only' })
    if (data?.auditLog && !error) return data.auditLog
    const { code, message, retryAfterSeconds = 0 } = error ? problemOf(error) : { code: '', message: '' }
    if (code !== 'rate_limited' || retryAfterSeconds > longestWaitSeconds) throw new Error(message)
    await new Promise(done => setTimeout(done, Math.max(1, retryAfterSeconds) * 1000))
  }
}

/** A column for the project, then the columns of the export over REST. */
const columns = [
  ...['project', 'id', 'type', 'timestamp', 'subject', 'actorType', 'actorId', 'actorName'],
  ...['door', 'address', 'requestId', 'data', 'previous'],
]

const rowOf = (entry: ActivityRowFragment): string[] => {
  const { eventId, at, type, subject, projectSlug, actor, door, address, requestId, data, previous } = entry
  const json = (value: unknown) => (value === null || value === undefined ? '' : JSON.stringify(value))
  return [
    ...[projectSlug, eventId, type, at, subject, actor.type, actor.id, actor.name, door, address, requestId],
    ...[json(data), json(previous)],
  ].map(value => value ?? '')
}

const csvLine = (cells: readonly string[]) => `${cells.map(toCell).join(',')}\r\n`

/** Formats an entry as REST does, with REST's id. */
function jsonLine({ eventId, type, at, ...entry }: ActivityRowFragment): string {
  const { subject, data, previous, actor, door, address, requestId, projectSlug } = entry
  const shown = { id: eventId, project: projectSlug, type, timestamp: at, subject, data, previous }
  const whole = { ...shown, actor, door, address, requestId }
  return `${JSON.stringify(whole, (_, value) => (value === null ? undefined : value))}\n`
}
