import type { Columns, Statements } from '../../database/statements.ts'
import type { Clock } from '../../tools/clock.ts'
import { type Door, doors } from './counts.ts'
import { rangeOf, type Span } from './spans.ts'

/** Number of answers by bucket, the fastest first. The array ends with the slowest bucket that has answers. */
export type Latencies = number[]
/**
 * Percentiles in milliseconds; null if nothing was timed. Between 0.1 ms and 100 s they differ from the exact
 * percentiles by at most 10 %.
 */
export type DoorLatency = { door: Door; timed: number; p50: number | null; p99: number | null }

// Bucket n > 0 holds more than `fastest * growth ** (n - 1)` and at most `fastest * growth ** n` milliseconds. These
// buckets, which grow by a fixed factor, are those of DDSketch (Masson, Rim, Lee, 2019).
const growth = 1.2
const fastest = 0.1
/** The last bucket begins at 87 s and has no end. */
const lastBucket = 76
const perBucket = 1 / Math.log(growth)

export function bucketOf(milliseconds: number): number {
  if (!(milliseconds > fastest)) return 0
  return Math.min(lastBucket, Math.ceil(Math.log(milliseconds / fastest) * perBucket))
}

/**
 * Returns the value that has the same relative distance to both ends of the bucket. The distance is (growth - 1) /
 * (growth + 1), which is 9.1 %.
 */
const middleOf = (bucket: number) => (2 * fastest * growth ** bucket) / (1 + growth)

export function addLatency(latencies: Latencies, milliseconds: number): void {
  const bucket = bucketOf(milliseconds)
  while (latencies.length <= bucket) latencies.push(0)
  latencies[bucket] = (latencies[bucket] ?? 0) + 1
}

export function addLatencies(sum: Latencies, more: Latencies): void {
  for (const [bucket, count] of more.entries()) sum[bucket] = (sum[bucket] ?? 0) + count
}

/**
 * Returns the shortest time within which at least `share` of the answers were sent (nearest rank), rounded to the
 * middle of a bucket. Returns null if there are no answers.
 */
export function percentile(latencies: Latencies, share: number): number | null {
  const rank = Math.max(1, Math.ceil(share * total(latencies)))
  let seen = 0
  for (const [bucket, count] of latencies.entries()) {
    seen += count
    if (seen >= rank) return middleOf(bucket)
  }
  return null
}

const total = (latencies: Latencies) => latencies.reduce((sum, count) => sum + count, 0)

/** SQL that adds up two arrays of counts, which may have different lengths. */
export const sumOfBoth = (one: string, other: string) => `ARRAY(
  SELECT coalesce(a, 0) + coalesce(b, 0) FROM unnest(${one}, ${other}) WITH ORDINALITY AS both_of(a, b, bucket)
  ORDER BY bucket)`

/** Reads the latencies of several projects in one statement, each over its own span. */
export async function readLatencies(
  database: Statements,
  clock: Clock,
  asked: readonly { id: number; span: Span }[],
): Promise<DoorLatency[][]> {
  const ranges = asked.map(({ span }) => rangeOf(clock, span))
  const rows = await database.run({
    name: 'read_latencies',
    // Adds up the counts as doubles, which hold them exactly: PostgreSQL adds up bigints as numeric, which is slower.
    text: `
      SELECT place, door, bucket - 1, sum(count::float8)
      FROM unnest($1::int[], $2::timestamptz[], $3::timestamptz[]) WITH ORDINALITY AS asked(project, since, until, place)
      JOIN latencies ON project_id = project AND hour >= since AND hour < until
      CROSS JOIN unnest(counts) WITH ORDINALITY AS part(count, bucket)
      GROUP BY place, door, bucket`,
    values: [asked.map(({ id }) => id), ranges.map(([since]) => since), ranges.map(([, until]) => until)],
  })
  const byPlace = Map.groupBy(rows, ([place]) => Number(place))
  return asked.map((_, index) => doors.map(door => latencyOf(door, byPlace.get(index + 1) ?? [])))
}

function latencyOf(door: Door, rows: readonly Columns[]): DoorLatency {
  const latencies: Latencies = Array.from({ length: lastBucket + 1 }, () => 0)
  for (const [, of, bucket, count] of rows) if (of === door) latencies[Number(bucket)] = Number(count)
  return {
    door,
    timed: total(latencies),
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
  }
}
