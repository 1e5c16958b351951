import type { StoreError } from './errors.ts'
import { backoffMs } from './repeat.ts'
import { type Deadline, pause } from './time.ts'

/**
 * What a 429 of the project's limits means to all calls of a store: none is sent before the limit opens again, since a
 * key that goes on sending is banned. Who cannot wait that long asks all the same: the plan may have changed.
 */
export function openHold() {
  let openAt = 0
  return {
    hear({ code, status, retryAfterSeconds }: StoreError): void {
      // A domain that was verified too soon holds up nothing else.
      if (status !== 429 || code === 'verify_too_soon') return
      openAt = Math.max(openAt, performance.now() + (retryAfterSeconds ?? 0) * 1000)
    },
    async pass(deadline: Deadline, signal: AbortSignal | undefined): Promise<void> {
      for (;;) {
        const closedMs = openAt - performance.now()
        // Whoever was held up comes back at a moment of its own within a second.
        const ms = closedMs + backoffMs(2)
        if (closedMs <= 0 || ms >= deadline.leftMs()) return
        await pause(ms, signal)
      }
    },
  }
}
