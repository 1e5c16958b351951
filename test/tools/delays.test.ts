import { expect, test } from 'vitest'
import { openDelays } from '../../src/tools/delays.ts'

const pace = { burst: 100, perSecond: 100, longestMs: 1_000 }

test('the first actions of a client are not delayed, later ones are spaced evenly, and no delay is longer than the limit', () => {
  const delayOf = openDelays(pace)
  const delays = Array.from({ length: 300 }, () => delayOf('a', 5_000))
  expect(delays.slice(0, 100).every(ms => ms === 0)).toBe(true)
  expect([delays[100], delays[149], delays[199], delays[299]]).toEqual([10, 500, 1_000, 1_000])
  expect(delayOf('b', 5_000)).toBe(0)
})

test('after a client was idle, its first actions are not delayed again', () => {
  const delayOf = openDelays(pace)
  for (let i = 0; i < 300; i++) delayOf('a', 0)
  expect(delayOf('a', 1_500)).toBe(0)
  expect(Array.from({ length: 100 }, () => delayOf('a', 60_000))).toEqual(Array(100).fill(0))
})

test('an action that counts as 60 delays the later actions of its client as much as 60 single actions', () => {
  const delayOf = openDelays(pace)
  expect([delayOf('a', 5_000, 60), delayOf('a', 5_000, 60), delayOf('a', 5_000)]).toEqual([0, 200, 210])
})
