import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../src/tools/clock.ts'

export type MovableClock = Clock & { advance(ms: number): void; moveTo(time: string): void }

/** Real time plus the offset that the test has added. */
export function movableClock(): MovableClock {
  let ahead = 0
  return {
    now: () => Date.now() + ahead,
    aheadMs: () => ahead,
    advance(ms) {
      ahead += ms
    },
    moveTo(time) {
      ahead = Date.parse(time) - Date.now()
    },
  }
}

/** Waits for the next hour if this one ends soon: usage is counted by the hour. */
export async function untilHourHasRoom(): Promise<void> {
  const leftMs = 3_600_000 - (Date.now() % 3_600_000)
  if (leftMs < 20_000) await pause(leftMs + 10)
}
