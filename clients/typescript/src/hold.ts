import { StoreError } from './errors.ts'
import { backoffMs } from './repeat.ts'
import { type Deadline, pause } from './time.ts'
import { openTurns } from './turns.ts'

/**
 * The most concurrent requests. If a program sent a thousand calls at once, the many refusals could get its key banned.
 */
const mostAtOnce = 16
/** After this time a refusal may be outdated: a changed plan takes effect within a second. */
const refusalLastsMs = 1_000

type Refusal = { failure: StoreError; at: number; openAt: number }

/**
 * Applies the limits to all calls of a store. At most `mostAtOnce` calls run at once. After a 429, calls wait until the
 * rate limit window ends. If a call's deadline comes before the end of the window, the call fails at once with the
 * error of the last 429. But once a second, the client sends such a call nevertheless, because the plan may have
 * changed. A 429 for a stream or an export does not delay other calls, because the reason may be only that too many
 * streams or exports are open.
 */
export function openHold() {
  const turns = openTurns(mostAtOnce)
  let last: Refusal | null = null

  function receive(failure: unknown): never {
    if (failure instanceof StoreError && failure.status === 429) {
      const at = performance.now()
      last = { failure, at, openAt: at + (failure.retryAfterSeconds ?? 0) * 1000 }
    }
    throw failure
  }

  /** Returns how many milliseconds a call must wait; 0 if it may be sent now. */
  function holdUpMs(deadline: Deadline): number {
    const now = performance.now()
    if (last === null || last.openAt <= now) return 0
    // A random delay of 0.5 to 1 second, so that not all waiting calls are sent at the same moment.
    const ms = last.openAt - now + backoffMs(2)
    if (ms < deadline.leftMs()) return ms
    if (now < last.at + refusalLastsMs) throw last.failure
    last.at = now
    return 0
  }

  return async function inTurn<Done>(
    deadline: Deadline,
    signal: AbortSignal | undefined,
    act: () => Promise<Done>,
    { isStream }: { isStream: boolean },
  ): Promise<Done> {
    for (let held: number; ; ) {
      await turns.take(deadline, signal)
      try {
        const ms = holdUpMs(deadline)
        if (ms === 0) return await (isStream ? act() : act().catch(receive))
        held = ms
      } finally {
        turns.leave()
      }
      await pause(held, signal)
    }
  }
}
