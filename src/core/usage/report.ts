import type { Columns, Statements } from '../../database/statements.ts'
import type { Clock } from '../../tools/clock.ts'
import { dayMs } from '../../tools/durations.ts'
import { type Fault, invalidInput } from '../errors.ts'
import type { Project } from '../project.ts'
import { parseTime } from '../time.ts'
import { type Counts, noCounts } from './counts.ts'
import { mostDays } from './spans.ts'

export const groupings = ['day', 'door', 'key'] as const
export type Grouping = (typeof groupings)[number]
/** Days in UTC, both included. */
export type Period = { from: string; to: string }

/**
 * `id` stays the same however often the day is read, so that a billing meter counts the day once. `final`: the
 * numbers no longer change.
 */
type OfDay = { id: string; day: string; final: boolean }
export type UsageRow = (OfDay | { door: string } | { keyId: string; keyPrefix: string }) &
  Counts & { served: number }

/**
 * The usage of a day is final this long after the day ends, because processes write their counters every few seconds,
 * and retry while the database is unavailable.
 */
export const closedAfterMs = 60 * 60 * 1000
/** Processes stop adding to a day this long before it is final, because their clocks differ. */
const marginMs = 5 * 60 * 1000
const mostKeys = 1000

/**
 * Returns the day to which requests of `day` are added: `day` itself until it is almost final, and then the current day.
 */
export const openDayOf = (clock: Clock, day: string): string =>
  clock.now() < Date.parse(day) + dayMs + closedAfterMs - marginMs ? day : dayOf(clock.now())

/**
 * Validates a period of at most 90 days, because the usage of each key is kept no longer. By default it is the last 30
 * days.
 */
export function parsePeriod(
  clock: Clock,
  { from, to, by }: Record<'from' | 'to' | 'by', string | null>,
): Period & { by: Grouping } {
  const faults: Fault[] = []
  const today = dayOf(clock.now())
  const readDay = (field: string, given: string | null, usual: string): string => {
    const day = given ?? usual
    if (/^\d{4}-\d\d-\d\d$/.test(day) && parseTime(`${day}T00:00:00Z`)) return day
    faults.push({ field, message: 'must be a day such as 2026-11-01' })
    return usual
  }
  const last = readDay('to', to, today)
  const first = readDay('from', from, dayOf(Date.parse(last) - 29 * dayMs))
  const grouping = groupings.find(each => each === (by ?? 'day'))
  if (!grouping) faults.push({ field: 'by', message: `must be one of ${groupings.join(', ')}` })
  const days = (Date.parse(last) - Date.parse(first)) / dayMs + 1
  if (faults.length === 0 && days < 1)
    faults.push({ field: 'to', message: 'must not be earlier than `from`' })
  if (faults.length === 0 && days > mostDays)
    faults.push({ field: 'from', message: `must be at most ${mostDays} days before the end of \`to\`` })
  if (faults.length > 0 || !grouping) throw invalidInput(faults)
  return { from: first, to: last, by: grouping }
}

/** Sums up the usage of a project. Days, doors and keys without a request are absent. */
export async function readUsageReport(
  { run }: Statements,
  clock: Clock,
  project: Project,
  { from, to, by }: Period & { by: Grouping },
): Promise<UsageRow[]> {
  const rows = await run({ ...statements[by], values: [project.id, from, to] })
  return rows.map(row => {
    const [counts, of] = [countsOf(row), row.slice(4)]
    if (by === 'door') return { door: String(of[0]), ...counts }
    if (by === 'key') return { keyId: String(of[0]), keyPrefix: String(of[1]), ...counts }
    const day = String(of[0])
    const final = clock.now() >= Date.parse(day) + dayMs + closedAfterMs
    return { id: `usage:${project.slug}:${day}`, day, final, ...counts }
  })
}

const sums = 'sum(requests), sum(refusals), sum(faulty), sum(failed)'
const within = 'project_id = $1::int AND day BETWEEN $2::date AND $3::date'
const statements: Record<Grouping, { name: string; text: string }> = {
  day: {
    name: 'report_usage_by_day',
    text: `SELECT ${sums}, to_char(day, 'YYYY-MM-DD') AS date FROM usage WHERE ${within} GROUP BY day ORDER BY day`,
  },
  door: {
    name: 'report_usage_by_door',
    text: `SELECT ${sums}, door FROM usage WHERE ${within} GROUP BY door ORDER BY door`,
  },
  key: {
    name: 'report_usage_by_key',
    text: `
      SELECT ${sums}, api_key_id, prefix FROM "key_usage" JOIN "api_keys" ON api_keys.id = api_key_id
      WHERE key_usage.project_id = $1::int AND hour >= $2::timestamp AT TIME ZONE 'UTC'
        AND hour < ($3::timestamp + interval '1 day') AT TIME ZONE 'UTC'
      GROUP BY api_key_id, prefix ORDER BY sum(requests + refusals) DESC, api_key_id LIMIT ${mostKeys}`,
  },
}

function countsOf([requests, refusals, faulty, failed]: Columns): Counts & { served: number } {
  const counts = { ...noCounts(), requests: Number(requests), refusals: Number(refusals) }
  const [ofClients, ofStore] = [Number(faulty), Number(failed)]
  return { ...counts, faulty: ofClients, failed: ofStore, served: counts.requests - ofClients - ofStore }
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
