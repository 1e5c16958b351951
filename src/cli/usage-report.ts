import type { UsageQuery, UsageRow } from '../../clients/typescript/src/index.ts'
import { table } from './print.ts'
import { type Connection, openRestClient, withCommandErrors } from './rest-client.ts'

type Grouping = NonNullable<UsageQuery['by']>
type Counts = Record<(typeof counted)[number], number>
type Row = Omit<UsageRow, keyof Counts> & Counts
export type ReportOptions = { from?: string; to?: string; csv?: boolean }

/** Reads the usage for a billing system. docs/usage.md describes the rows. */
export async function readUsageReport(
  connection: Connection,
  { from, to }: ReportOptions,
  by: Grouping,
): Promise<Row[]> {
  const query = { by, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const rows = await withCommandErrors(openRestClient(connection).getUsage(query))
  return rows.map(row => ({ ...row, ...countsOf(row) }))
}

/** Converts the client's bigints to numbers, because the command would print bigints as strings in JSON. */
function countsOf(row: UsageRow): Counts {
  return Object.fromEntries(counted.map(name => [name, Number(row[name])])) as Counts
}

export function toCsv(rows: readonly Row[], by: Grouping): string {
  const names = [...csvColumns[by], ...counted]
  // No cell needs quotes: ids, days, doors and prefixes have no commas.
  return [names, ...rows.map(row => cellsOf(row, names))].map(cells => cells.join(',')).join('\n')
}

export function toTable(rows: readonly Row[], by: Grouping): string {
  const names = [...shownColumns[by], ...counted]
  const heads = [...shownColumns[by].map(name => headings[name] ?? name), ...countHeadings]
  const sums = counted.map(name => rows.reduce((sum, row) => sum + row[name], 0))
  const all = ['all', ...shownColumns[by].slice(1).map(() => ''), ...sums]
  return table(heads, [...rows.map(row => cellsOf(row, names)), all])
}

type Column = keyof UsageRow

const counted = ['requests', 'served', 'faulty', 'failed', 'refusals'] as const satisfies Column[]
export const countHeadings = ['REQUESTS', 'SERVED', 'FAULTY', 'FAILED', 'REFUSED']
/**
 * The first columns of the CSV file, by grouping. The counts follow. The CSV file has the same columns as the CSV
 * answer of GET /v1/usage.
 */
const csvColumns = { day: ['id', 'day', 'final'], door: ['door'], key: ['keyId', 'keyPrefix'] } as const
const shownColumns = { day: ['day', 'final'], door: ['door'], key: ['keyPrefix'] } as const
const headings: Partial<Record<Column, string>> = {
  day: 'DAY',
  final: 'FINAL',
  door: 'DOOR',
  keyPrefix: 'KEY',
}

const cellsOf = (row: Row, names: readonly Column[]) => names.map(name => String(row[name]))
