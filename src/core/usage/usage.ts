import type { Columns, Statements } from '../../database/statements.ts'
import type { ApiKey } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import { invalidInput } from '../errors.ts'
import { addCounts, type Counts, type Door, doors, noCounts } from './counts.ts'

/** `count` days or hours. The last one is `last`, numbered from 1970; by default the current one. */
export type Span = { unit: 'day' | 'hour'; count: number; last?: number }
export type DoorUse = Counts & { door: Door }
export type Step = Counts & { at: Date; doors: DoorUse[] }
/** Usage over a span. `steps` are in chronological order, with zeros for steps without requests. */
export type Use = Counts & { steps: Step[]; doors: DoorUse[] }
/** A span whose last step is known, so that it stays the same past midnight. */
export type EndedSpan = Span & { last: number }

const stepMs = { day: 24 * 60 * 60 * 1000, hour: 60 * 60 * 1000 }
export const mostDays = 90
export const mostHours = 48
/** A span may begin so many steps ago: days as many as two longest spans, so that they can be compared. */
const mostAgo = { day: 2 * mostDays, hour: mostHours }

/** Validates the span. If `hours` is given, it replaces `days`. */
export function parseSpan(days: number, hours: number | null): Span {
  if (hours === null && days >= 1 && days <= mostDays) return { unit: 'day', count: days }
  if (hours !== null && hours >= 1 && hours <= mostHours) return { unit: 'hour', count: hours }
  const [field, most] = hours === null ? ['days', mostDays] : ['hours', mostHours]
  throw invalidInput([{ field: String(field), message: `must be a whole number from 1 to ${most}` }])
}

/** Moves the span back: its last day or hour is the one with `until` in it. */
export function endAt(span: Span, until: Date, clock: Clock): EndedSpan {
  const { unit, count } = span
  const [last, current] = [stepAt(until.getTime(), unit), stepAt(clock.now(), unit)]
  const most = mostAgo[unit]
  if (last > current) throw invalidInput([{ field: 'until', message: 'must not be in the future' }])
  if (last - count + 1 < current - most)
    throw invalidInput([
      { field: 'until', message: `must be later: usage begins at most ${most} ${unit}s ago` },
    ])
  return { ...span, last }
}

/** Reads the usage of several projects in one statement: days from the table `usage`, hours from `key_usage`. */
export async function readProjectUse(
  database: Statements,
  clock: Clock,
  projectIds: readonly number[],
  span: Span,
): Promise<Use[]> {
  const from = firstStep(clock, span)
  const seconds = stepMs[span.unit] / 1000
  const rows = await database.run({
    name: `read_usage_by_${span.unit}`,
    text:
      span.unit === 'day'
        ? `SELECT project_id, (extract(epoch FROM day) / $4::int)::int, door, requests, refusals, faulty, failed
           FROM usage WHERE project_id = ANY ($1::int[])
             AND day >= $2::timestamptz AT TIME ZONE 'UTC' AND day < $3::timestamptz AT TIME ZONE 'UTC'`
        : `SELECT project_id, (extract(epoch FROM hour) / $4::int)::int AS step, door,
             sum(requests), sum(refusals), sum(faulty), sum(failed)
           FROM "key_usage" WHERE project_id = ANY ($1::int[]) AND hour >= $2::timestamptz AND hour < $3::timestamptz
           GROUP BY project_id, step, door`,
    values: [projectIds, ...rangeOf(clock, span), seconds],
  })
  return gather(projectIds, from, span, rows)
}

type KeyOfProject = Pick<ApiKey, 'id' | 'projectId'>

/** Reads the usage of several keys in one statement. */
export async function readKeyUse(
  database: Statements,
  clock: Clock,
  keys: readonly KeyOfProject[],
  span: Span,
): Promise<Use[]> {
  const from = firstStep(clock, span)
  const rows = await database.run({
    name: 'read_key_usage',
    text: `
      SELECT api_key_id, floor(extract(epoch FROM hour) / $5::int)::int AS step, door,
        sum(requests), sum(refusals), sum(faulty), sum(failed)
      FROM "key_usage"
      WHERE project_id = ANY ($1::int[]) AND api_key_id = ANY ($2::uuid[])
        AND hour >= $3::timestamptz AND hour < $4::timestamptz
      GROUP BY api_key_id, step, door`,
    values: [
      [...new Set(keys.map(({ projectId }) => projectId))],
      keys.map(({ id }) => id),
      ...rangeOf(clock, span),
      stepMs[span.unit] / 1000,
    ],
  })
  const ids = keys.map(({ id }) => id)
  return gather(ids, from, span, rows)
}

/** Lists the keys of each project that have the most requests and refusals. */
export async function listUsedKeys(
  database: Statements,
  clock: Clock,
  projectIds: readonly number[],
  span: Span,
  most: number,
): Promise<string[][]> {
  const rows = await database.run({
    name: 'list_used_keys',
    text: `
      SELECT project_id, api_key_id FROM (
        SELECT project_id, api_key_id,
          row_number() OVER (PARTITION BY project_id ORDER BY sum(requests + refusals) DESC, api_key_id) AS place
        FROM "key_usage" WHERE project_id = ANY ($1::int[]) AND hour >= $2::timestamptz AND hour < $3::timestamptz
        GROUP BY project_id, api_key_id
      ) AS used WHERE place <= $4::int ORDER BY project_id, place`,
    values: [projectIds, ...rangeOf(clock, span), most],
  })
  return projectIds.map(id =>
    rows.flatMap(([projectId, key]) => (Number(projectId) === id && key ? key : [])),
  )
}

/** A day or hour, numbered from 1970. */
const stepAt = (at: number, unit: Span['unit']) => Math.floor(at / stepMs[unit])
const firstStep = (clock: Clock, { unit, count, last }: Span) =>
  (last ?? stepAt(clock.now(), unit)) - count + 1

/** Returns the beginning and the end of the span. */
export function rangeOf(clock: Clock, span: Span): [since: string, until: string] {
  const first = firstStep(clock, span)
  const instant = (step: number) => new Date(step * stepMs[span.unit]).toISOString()
  return [instant(first), instant(first + span.count)]
}

/** Groups rows of owner, step, door and counts into one usage per owner. */
function gather(
  owners: readonly (number | string)[],
  from: number,
  { unit, count }: Span,
  rows: Columns[],
): Use[] {
  const found = new Map(
    rows.map(([owner, step, door, ...counts]) => [`${owner} ${step} ${door}`, readCounts(counts)]),
  )
  return owners.map(owner => {
    const steps = Array.from({ length: count }, (_, index): Step => {
      const byDoor = doors.map(door => ({
        door,
        ...(found.get(`${owner} ${from + index} ${door}`) ?? noCounts()),
      }))
      return { at: new Date((from + index) * stepMs[unit]), ...sumUp(byDoor), doors: byDoor }
    })
    return sumUpSteps(steps)
  })
}

/** Returns the shortest span that includes these, which have one unit. */
export function widestOf(spans: readonly EndedSpan[]): EndedSpan {
  const last = Math.max(...spans.map(span => span.last))
  const first = Math.min(...spans.map(span => span.last - span.count + 1))
  return { unit: spans[0]?.unit ?? 'day', count: last - first + 1, last }
}

/** Returns the part of a usage over a span that is a shorter span. */
export function partOf(use: Use, { last: end }: EndedSpan, { count, last }: EndedSpan): Use {
  const after = use.steps.length - (end - last)
  return use.steps.length === count ? use : sumUpSteps(use.steps.slice(after - count, after))
}

function sumUpSteps(steps: Step[]): Use {
  const byDoor = doors.map(door => {
    const through = steps.flatMap(step => step.doors.filter(part => part.door === door))
    return { door, ...sumUp(through) }
  })
  return { ...sumUp(byDoor), steps, doors: byDoor }
}

function readCounts([requests, refusals, faulty, failed]: Columns): Counts {
  return {
    requests: Number(requests),
    refusals: Number(refusals),
    faulty: Number(faulty),
    failed: Number(failed),
  }
}

function sumUp(parts: readonly Counts[]): Counts {
  const sum = noCounts()
  for (const part of parts) addCounts(sum, part)
  return sum
}
