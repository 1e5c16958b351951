import { expect, test } from 'vitest'
import {
  askAgainMs,
  driftForgivenMs,
  graceMs,
  nextLiveCheck,
  nextPendingCheck,
} from '../../../src/core/hosts/dns-check-schedule.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const since = new Date('2026-06-01T12:00:00Z')
/** Returns the pause after a check that runs `waited` milliseconds after the first one. */
const pauseAfter = (waited: number) => {
  const now = since.getTime() + waited
  const next = nextPendingCheck(since, now)
  return next && next.getTime() - now
}

test.each([
  ['at first', 0, minute],
  ['after four minutes', 4 * minute, minute],
  ['after an hour', hour, 15 * minute],
  ['after eight hours', 8 * hour, 2 * hour],
  ['after a day', day, 2 * hour],
  ['an hour before the end', 47 * hour, hour],
  ['a moment before the end', 48 * hour - 1, 1],
  ['at the end of 48 hours', 48 * hour, null],
  ['after thirty days', 30 * day, null],
])(
  'a pending domain is checked after pauses that grow from a minute to two hours, and is no longer checked after 48 hours: %s',
  (_, waited, pause) => {
    expect(pauseAfter(waited)).toBe(pause)
  },
)

test.each([
  ['that is in order is checked once a day', false, day],
  ['in trouble is checked every two hours', true, 2 * hour],
])(
  'the pause before the next DNS check of a live domain is shortened or lengthened by up to a tenth: a domain %s',
  (_, trouble, pause) => {
    const look = (random: number) => nextLiveCheck(trouble, 0, () => random).getTime()

    expect([look(0), look(0.5), look(1)].map(Math.round)).toEqual(
      [pause * 0.9, pause, pause * 1.1].map(Math.round),
    )
  },
)

test('a domain stays served for seven days after a drift and fourteen after a downgrade, and may be verified every ten seconds', () => {
  expect([driftForgivenMs, graceMs, askAgainMs]).toEqual([7 * day, 14 * day, 10_000])
})
