import { expect, it } from 'vitest'
import type { WindowRule } from '../../src/limiter/charge.ts'
import { makeDecision } from '../../src/limiter/decision.ts'

const now = 1_000_000
const minute: WindowRule = { name: 'minute', seconds: 60, limit: 3 }
const day: WindowRule = { name: 'day', seconds: 86_400, limit: 10 }
const [minuteEnds, dayEnds] = [now + 50_000, now + 80_000_000]

/** Returns the decision for these counts of each window. */
function decide(windows: [WindowRule, number, number][], outcome = 1, banEndsAt = 0, points = 1) {
  const states = windows.flatMap(([, used, ends]) => [used, ends])
  const charge = { subject: 'project:1', points, windows: windows.map(([rule]) => rule) }
  return makeDecision(charge, { now, outcome, banEndsAt, banBegins: banEndsAt > 0, version: 'v', states })
}

it.each([
  ['the minute alone', [3, 9], minuteEnds],
  ['the day alone', [2, 10], dayEnds],
  ['both windows', [3, 10], dayEnds],
])('retryAt is the end of the full window that ends last: %s', (_which, used, ends) => {
  const windows: [WindowRule, number, number][] = [
    [minute, used[0] ?? 0, minuteEnds],
    [day, used[1] ?? 0, dayEnds],
  ]

  for (const order of [windows, windows.toReversed()]) expect(decide(order).retryAt).toBe(ends)
})

it('a window that is charged nothing is never full', () => {
  const management = { name: 'management', seconds: 3600, limit: 5, points: 0 }

  const { retryAt, windows } = decide([
    [management, 9, now + 3_600_000],
    [minute, 3, minuteEnds],
  ])

  expect(retryAt).toBe(minuteEnds)
  expect(windows[0]).toEqual({
    name: 'management',
    limit: 5,
    remaining: 0,
    resetAt: now + 3_600_000,
    seconds: 3600,
  })
})

it('a window with its own number of points is charged that number, and any other window is charged the points of the request', () => {
  expect(decide([[{ ...minute, points: 2 }, 2, minuteEnds]]).retryAt).toBe(minuteEnds)
  expect(decide([[minute, 1, minuteEnds]], 1, 0, 3).retryAt).toBe(minuteEnds)
  expect(decide([[minute, 1, minuteEnds]], 1, 0, 2).retryAt).toBe(0)
})

it('the decision on an accepted or banned request has all fields: windows, time, version, ban and retry time', () => {
  const windows = [{ ...minute, remaining: 1, resetAt: minuteEnds }]
  const whole = { windows, decidedAt: now, version: 'v' }

  expect(decide([[minute, 2, minuteEnds]], 0)).toMatchObject({
    ...{ ...whole, outcome: 'accepted', banEndsAt: null, banBegins: false, retryAt: null },
  })
  expect(decide([[minute, 2, minuteEnds]], 2, now + 300_000)).toMatchObject({
    ...{ ...whole, outcome: 'banned', banEndsAt: now + 300_000, banBegins: true, retryAt: now + 300_000 },
  })
})

it.each([
  ['a wrong time', { now: Number.NaN }],
  ['a wrong outcome', { outcome: 7 }],
  ['a wrong end of a ban', { banEndsAt: Number.NaN }],
  ['a wrong number of used points', { states: [Number.NaN, minuteEnds] }],
  ['a wrong end of a window', { states: [1, Number.NaN] }],
  ['a missing window', { states: [] }],
])('counts that cannot be parsed cause an error, and not a refusal: %s', (_what, broken) => {
  const charge = { subject: 'project:1', points: 1, windows: [minute] }
  const counts = { now, outcome: 1, banEndsAt: 0, banBegins: false, version: null, states: [1, minuteEnds] }

  expect(() => makeDecision(charge, { ...counts, ...broken })).toThrow('without valid counts')
})
