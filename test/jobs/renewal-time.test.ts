import { expect, test } from 'vitest'
import { nextTryAt } from '../../src/jobs/renewal-time.ts'

const clock = { now: () => 1_000_000, aheadMs: () => 0 }
const seconds = (attempts: number, random: number) =>
  (nextTryAt(clock, attempts, () => random).getTime() - clock.now()) / 1000

const sixHours = 6 * 3600

test.each([
  [0, 15],
  [1, 30],
  [2, 60],
  [5, 480],
  [10, 15_360],
  [11, sixHours],
  [12, sixHours],
  [50, sixHours],
])(
  'after %i failures a certificate is tried again in %i seconds, a quarter sooner or later',
  (attempts, pause) => {
    expect(seconds(attempts, 0)).toBe(pause * 0.75)
    expect(seconds(attempts, 0.5)).toBe(pause)
    expect(seconds(attempts, 1)).toBe(pause * 1.25)
  },
)
