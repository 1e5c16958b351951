import { expect, test } from 'vitest'
import { openBrake } from '../../src/tools/brake.ts'

/** In the 100 ms from `at` on. */
function answer(
  brake: ReturnType<typeof openBrake>,
  at: number,
  counts: { served: number; refused: number },
) {
  for (let n = 0; n < counts.served; n++) brake.noteAnswer(200, at)
  for (let n = 0; n < counts.refused; n++) brake.noteAnswer(n % 2 ? 401 : 429, at)
}

test('in a flood beside which others are served, refusals wait a moment and leave together', async () => {
  const brake = openBrake()
  answer(brake, 1000, { served: 50, refused: 50 })

  const first = brake.hold(1100)
  const began = performance.now()

  expect(first).toBeInstanceOf(Promise)
  expect(brake.hold(1105)).toBe(first)
  await first
  expect(performance.now() - began).toBeGreaterThan(18)
  expect(brake.hold(1120)).not.toBe(first)
})

test('a flood is held back from its first moments on', () => {
  const brake = openBrake()
  answer(brake, 1000, { served: 20, refused: 20 })

  expect(brake.hold(1005)).not.toBeNull()
})

test.each([
  ['few are refused', { served: 500, refused: 19 }],
  ['hardly anyone else is there', { served: 19, refused: 500 }],
])('no refusal waits where %s', (_, counts) => {
  const brake = openBrake()
  answer(brake, 1000, counts)

  expect(brake.hold(1100)).toBeNull()
})

test('a flood that is over holds nobody up', () => {
  const brake = openBrake()
  answer(brake, 1000, { served: 50, refused: 50 })
  expect(brake.hold(1100)).not.toBeNull()

  expect(brake.hold(1200)).toBeNull()
})
