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
