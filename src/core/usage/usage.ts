import type { Columns, Statements } from '../../database/statements.ts'
import type { ApiKey } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import { addCounts, type Counts, type Door, doors, noCounts } from './counts.ts'
import { type EndedSpan, firstStep, rangeOf, rangesOf, type Span, stepMs, unitOf } from './spans.ts'

export type DoorUse = Counts & { door: Door }
export type Step = Counts & { at: Date; doors: DoorUse[] }
/** Usage over a span. `steps` are in chronological order, with zeros for steps without requests. */
export type Use = Counts & { steps: Step[]; doors: DoorUse[] }

/**
 * Reads the usage of several projects over each span in one statement: days from the table `usage`, hours from
 * `key_usage`. All spans must have the same unit and must not overlap.
 */
export async function readProjectUse(
  database: Statements,
  clock: Clock,
  projectIds: readonly number[],
  spans: readonly Span[],
): Promise<Use[][]> {
  const unit = unitOf(spans)
  const rows = await database.run({
    name: `read_usage_by_${unit}`,
    text:
      unit === 'day'
        ? `SELECT project_id, (extract(epoch FROM day) / $4::int)::int, door, requests, refusals, faulty, failed
           FROM unnest($2::timestamptz[], $3::timestamptz[]) AS asked(since, until)
           JOIN usage ON project_id = ANY ($1::int[])
             AND day >= since AT TIME ZONE 'UTC' AND day < until AT TIME ZONE 'UTC'`
        : `SELECT project_id, (extract(epoch FROM hour) / $4::int)::int AS step, door,
             sum(requests), sum(refusals), sum(faulty), sum(failed)
           FROM unnest($2::timestamptz[], $3::timestamptz[]) AS asked(since, until)
           JOIN "key_usage" ON project_id = ANY ($1::int[]) AND hour >= since AND hour < until
           GROUP BY project_id, step, door`,
    values: [projectIds, ...rangesOf(clock, spans), stepMs[unit] / 1000],
  })
  return gather(projectIds, clock, spans, rows)
}

type KeyOfProject = Pick<ApiKey, 'id' | 'projectId'>

/**
 * Reads the usage of several keys over each span in one statement. All spans must have the same unit and must not
 * overlap.
 */
export async function readKeyUse(
  database: Statements,
  clock: Clock,
  keys: readonly KeyOfProject[],
  spans: readonly Span[],
): Promise<Use[][]> {
  const rows = await database.run({
    name: 'read_key_usage',
    text: `
      SELECT api_key_id, floor(extract(epoch FROM hour) / $5::int)::int AS step, door,
        sum(requests), sum(refusals), sum(faulty), sum(failed)
      FROM unnest($3::timestamptz[], $4::timestamptz[]) AS asked(since, until)
      JOIN "key_usage" ON project_id = ANY ($1::int[]) AND api_key_id = ANY ($2::uuid[])
        AND hour >= since AND hour < until
      GROUP BY api_key_id, step, door`,
    values: [
      [...new Set(keys.map(({ projectId }) => projectId))],
      keys.map(({ id }) => id),
      ...rangesOf(clock, spans),
      stepMs[unitOf(spans)] / 1000,
    ],
  })
  const ids = keys.map(({ id }) => id)
  return gather(ids, clock, spans, rows)
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

/** Groups rows into one usage per span and owner. A row has an owner, a step, a door and counts. */
function gather(
  owners: readonly (number | string)[],
  clock: Clock,
  spans: readonly Span[],
  rows: Columns[],
): Use[][] {
  const found = new Map(
    rows.map(([owner, step, door, ...counts]) => [`${owner} ${step} ${door}`, readCounts(counts)]),
  )
  const useOf = (owner: number | string, span: Span) => {
    const { unit, count } = span
    const from = firstStep(clock, span)
    const steps = Array.from({ length: count }, (_, index): Step => {
      const byDoor = doors.map(door => ({
        door,
        ...(found.get(`${owner} ${from + index} ${door}`) ?? noCounts()),
      }))
      return { at: new Date((from + index) * stepMs[unit]), ...sumUp(byDoor), doors: byDoor }
    })
    return sumUpSteps(steps)
  }
  return spans.map(span => owners.map(owner => useOf(owner, span)))
}

/** Returns the part of `use` that covers a shorter span. */
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
