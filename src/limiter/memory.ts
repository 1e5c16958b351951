import type { Clock } from '../tools/clock.ts'
import type { Charge } from './charge.ts'
import { type Decision, makeDecision } from './decision.ts'
import { MemoryCounts } from './memory-counts.ts'

/** More than two readings of a clock differ by. */
const setByMs = 100

/**
 * Counts by a clock that only runs forward, so that a computer's clock that is set back holds no window any longer; what
 * is shown is by the computer's clock. No version is known here, since nobody tells what other processes write.
 */
export function openMemory(clock: Clock) {
  const counts = new MemoryCounts()
  const began = clock.now() - clock.aheadMs() - performance.now()

  return (act: 'charge' | 'peek', charge: Charge): Decision => {
    const now = Math.round(began + performance.now() + clock.aheadMs())
    const decision = makeDecision(charge, counts.decide(charge, act, now))
    const setBy = clock.now() - now
    return Math.abs(setBy) < setByMs ? decision : shift(decision, setBy)
  }
}

function shift(decision: Decision, ms: number): Decision {
  const { windows, banEndsAt, retryAt, decidedAt } = decision
  return {
    ...decision,
    windows: windows.map(window => ({ ...window, resetAt: window.resetAt + ms })),
    banEndsAt: banEndsAt && banEndsAt + ms,
    retryAt: retryAt && retryAt + ms,
    decidedAt: decidedAt + ms,
  }
}
