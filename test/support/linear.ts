import { expect } from 'vitest'
import { cpuMicros } from './cpu-time.ts'

/** Four times the length may cost six times the time, because caches and garbage collection are not linear. */
const mostRatio = 6
/** Shorter calls are ignored. They block no other request, and their time depends mostly on the machine. */
const leastMicros = 2_000
const tries = 5

export type TextOfSize = (size: number) => string

/** Returns a text of exactly this size that repeats one part. */
export const repeat =
  (part: string): TextOfSize =>
  size =>
    part.repeat(Math.ceil(size / part.length)).slice(0, size)

export const around =
  (before: string, part: string, after: string): TextOfSize =>
  size =>
    before + repeat(part)(size) + after

/** Fails if four times the length costs more than six times the CPU time. */
export async function expectLinear(
  sizes: readonly number[],
  text: TextOfSize,
  read: (text: string) => unknown,
): Promise<void> {
  const least = sizes.map(() => Number.POSITIVE_INFINITY)
  // Other programs can only slow a reader down, so the fastest try counts.
  for (let left = tries; left > 0; left--) {
    for (const [n, size] of sizes.entries()) {
      const input = text(size)
      const micros = await cpuMicros(() => read(input))
      least[n] = Math.min(least[n] ?? micros, micros)
    }
    if (isLinear(least)) return
  }
  const steps = least.map(time => Math.round(time)).join(', ')
  expect.fail(`texts of ${sizes.join(', ')} characters take ${steps} µs`)
}

const isLinear = (micros: readonly number[]) =>
  micros.every((time, n) => time < leastMicros || time <= mostRatio * (micros[n - 1] ?? time))
