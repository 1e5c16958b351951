import { expect, test } from 'vitest'
import { readRenewalInfo } from '../../src/hosting/renewal-info.ts'

const now = Date.parse('2026-06-01T12:00:00Z')
const hour = 3_600_000
const day = 24 * hour
const at = (ms: number) => new Date(now + ms)
const suggesting = (start: unknown, end: unknown) => ({ suggestedWindow: { start, end } })
const window = suggesting(at(10 * day).toISOString(), at(12 * day).toISOString())

test.each([
  [0, 10 * day],
  [0.5, 11 * day],
  [1, 12 * day],
])(
  'by chance %d a certificate is renewed %i ms from now, within the window that is suggested',
  (random, wait) => {
    expect(readRenewalInfo(window, null, now, () => random)?.renewAt).toEqual(at(wait))
  },
)

test.each([
  ['names no time, in six hours', null, 6 * hour],
  ['names one, then', 5 * hour, 5 * hour],
  ['names none to wait for, in a minute', 0, 60_000],
  ['names less than a minute, in a minute', 59_999, 60_000],
  ['names a day, in a day', day, day],
  ['names more than a day, in a day', day + 1, day],
])('an authority that %s is asked for its advice again', (_, retryAfter, wait) => {
  const info = readRenewalInfo(window, retryAfter === null ? null : at(retryAfter), now)

  expect(info?.askAgainAt).toEqual(at(wait))
})

test.each([
  ['nothing', null],
  ['no window', {}],
  ['a window without an end', suggesting(at(0).toISOString(), undefined)],
  ['a window that ends before it begins', suggesting(at(1).toISOString(), at(0).toISOString())],
  ['words', suggesting('soon', 'later')],
])('%s is no advice', (_, body) => {
  expect(readRenewalInfo(body, null, now)).toBeNull()
})

test('a window of one moment is that moment, also where it is over', () => {
  const moment = at(-day).toISOString()

  expect(readRenewalInfo(suggesting(moment, moment), null, now)?.renewAt).toEqual(at(-day))
})
