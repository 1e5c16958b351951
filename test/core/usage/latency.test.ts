import { describe, expect, test } from 'vitest'
import type { Caller } from '../../../src/core/keys/caller.ts'
import { openUsageCounter } from '../../../src/core/usage/counter.ts'
import {
  addLatencies,
  addLatency,
  bucketOf,
  type Latencies,
  percentile,
  readLatencies,
} from '../../../src/core/usage/latency.ts'
import { addUpHours } from '../../../src/core/usage/rollup.ts'
import type { Span } from '../../../src/core/usage/spans.ts'
import type { Clock } from '../../../src/tools/clock.ts'
import { openLog } from '../../../src/tools/log.ts'
import { makeCallers } from '../../support/callers.ts'
import { freshDatabase, freshFolder } from '../../support/databases.ts'
import { prepareOwnDatabase } from '../../support/open-database.ts'

const histogramOf = (all: readonly number[]) => {
  const latencies: Latencies = []
  for (const milliseconds of all) addLatency(latencies, milliseconds)
  return latencies
}
/** Returns the exact percentile by nearest rank. */
const exactly = (all: readonly number[], share: number) =>
  all.toSorted((one, other) => one - other)[Math.ceil(share * all.length) - 1] as number

/** Yields random numbers between 0 and 1 that are equal in each run. The generator is by Park and Miller. */
function* randomNumbers(): Generator<number> {
  for (let seed = 42; ; ) {
    seed = (seed * 48_271) % 2_147_483_647
    yield seed / 2_147_483_647
  }
}
const random = randomNumbers()
const next = () => random.next().value as number

test.each<[string, () => number]>([
  ['all the same', () => 17],
  ['evenly spread', () => 1 + 99 * next()],
  ['most fast, few slow', () => (next() < 0.98 ? 2 + next() : 900 + 100 * next())],
  ['over six powers of ten', () => 0.1 * 10 ** (6 * next())],
])('a percentile is at most 10 %% away from the exact one: %s', (_name, make) => {
  const all = Array.from({ length: 5_000 }, make)
  const latencies = histogramOf(all)

  for (const share of [0.01, 0.5, 0.9, 0.99, 1]) {
    const exact = exactly(all, share)
    expect(Math.abs((percentile(latencies, share) as number) / exact - 1)).toBeLessThan(0.1)
  }
})

test('a latency bucket includes its upper end, and every latency falls into a bucket', () => {
  expect([0.1, 0.12, 0.1200001].map(bucketOf)).toEqual([0, 1, 2])
  expect([-1, 0, Number.NaN, 1e9, Number.POSITIVE_INFINITY].map(bucketOf)).toEqual([0, 0, 0, 76, 76])
})

test('without latencies there is no percentile, and a single latency is every percentile', () => {
  expect(percentile([], 0.5)).toBeNull()
  expect(percentile([0, 0, 0], 0.99)).toBeNull()
  const one = histogramOf([5])
  expect(percentile(one, 0.5)).toBe(percentile(one, 0.99))
})

test('latency histograms of different lengths can be added in any order', () => {
  const [fast, slow] = [histogramOf([1, 1]), histogramOf([1, 5_000])]
  const sums = [fast.slice(), slow.slice()] as const
  addLatencies(sums[0], slow)
  addLatencies(sums[1], fast)

  expect(sums[0]).toEqual(sums[1])
  expect(sums[0]).toEqual(histogramOf([5_000, 1, 1, 1]))
})

const clockAt = (time: string): Clock => ({ now: () => Date.parse(time), aheadMs: () => 0 })
const days = (count: number): Span => ({ unit: 'day', count })
const hours = (count: number): Span => ({ unit: 'hour', count })

describe.each([
  ['PostgreSQL', freshDatabase],
  ['the embedded database', freshFolder],
] as const)('latencies are stored with usage in %s', (_name, makeDatabase) => {
  const own = prepareOwnDatabase(makeDatabase)

  async function count(caller: Caller, time: string, all: readonly number[]): Promise<void> {
    const counter = openUsageCounter(own.database, clockAt(time), openLog('silent'))
    for (const milliseconds of all) counter.countRequest(caller, 'rest', 'served', 1, milliseconds)
    await counter.close()
  }
  const read = async ({ project }: Caller, time: string, span: Span) =>
    (await readLatencies(own.database, clockAt(time), [{ id: project.id, span }]))[0]
  const about = (milliseconds: number) => expect.closeTo(milliseconds, -Math.log10(0.2 * milliseconds))
  const nothing = { timed: 0, p50: null, p99: null }

  test('response times are stored for each API, without refusals and free requests', async () => {
    const [caller, other] = (await makeCallers(own.db, 2)) as [Caller, Caller]
    const time = '2031-03-04T12:30:00Z'
    const counter = openUsageCounter(own.database, clockAt(time), openLog('silent'))
    for (const milliseconds of [10, 10, 10, 200])
      counter.countRequest(caller, 'rest', 'served', 3, milliseconds)
    counter.countRequest(caller, 'graphql', 'failed', 1, 3_000)
    counter.countRequest(caller, 'graphql', 'refused', 1, 0.2)
    counter.countRequest(caller, 'mcp', 'served', 0, 5)
    counter.countRequest(other, 'rest', 'served', 1, 40)
    await counter.close()

    expect(await read(caller, time, hours(1))).toEqual([
      { door: 'rest', timed: 4, p50: about(10), p99: about(200) },
      { door: 'graphql', timed: 1, p50: about(3_000), p99: about(3_000) },
      { door: 'mcp', ...nothing },
    ])
    expect((await read(other, time, days(1)))?.[0]).toMatchObject({ door: 'rest', timed: 1 })
  })

  test('latencies of several counters are added up by hour, then by day, and deleted after 90 days', async () => {
    const [caller] = (await makeCallers(own.db, 1)) as [Caller]
    const slow = Array.from({ length: 100 }, () => 400)
    await Promise.all([
      count(caller, '2031-03-04T22:59:59Z', [5]),
      count(caller, '2031-03-04T22:00:00Z', slow),
      count(caller, '2031-03-04T23:00:00Z', [5, 5]),
      count(caller, '2031-03-05T00:00:00Z', [5]),
    ])
    const timed = async (time: string, span: Span) => (await read(caller, time, span))?.[0]?.timed
    expect(await timed('2031-03-05T00:30:00Z', hours(1))).toBe(1)
    expect(await timed('2031-03-05T00:30:00Z', hours(2))).toBe(3)
    expect(await timed('2031-03-05T00:30:00Z', hours(3))).toBe(104)
    expect(await timed('2031-03-05T00:30:00Z', { ...days(1), last: Date.UTC(2031, 2, 4) / 864e5 })).toBe(103)
    const before = await read(caller, '2031-03-05T00:30:00Z', days(2))

    for (const late of [[], slow]) {
      if (late.length > 0) await count(caller, '2031-03-04T13:00:00Z', late)
      await addUpHours(own.database, clockAt('2031-03-09T00:00:00Z'))
      expect(await timed('2031-03-09T00:00:00Z', days(6))).toBe(104 + late.length)
      if (late.length === 0) expect(await read(caller, '2031-03-09T00:00:00Z', days(6))).toEqual(before)
    }
    expect(await own.db.latency.count({ where: { projectId: caller.project.id } })).toBe(2)

    await addUpHours(own.database, clockAt('2031-06-04T00:00:00Z'))
    expect(await own.db.latency.count({ where: { projectId: caller.project.id } })).toBe(0)
  })
})
