import type { StoreError } from './errors.ts'

const firstBackoffMs = 250
const longestBackoffMs = 10_000

/**
 * True if a failed request may be sent again. After a 429 any request may be repeated, because the store did nothing.
 * After another temporary error the store may already have executed the request, so only a safe request may be
 * repeated.
 */
export function mayRepeat({ code, status }: StoreError, safe: boolean): boolean {
  if (status === 429) return true
  const passes =
    code === 'connection_failed' ||
    code === 'idempotency_in_flight' ||
    (status !== null && [408, 502, 503, 504].includes(status))
  return safe && passes
}

/** Returns the time to wait: the time that the store asked for, plus a delay that doubles with each retry. */
export function waitMs({ retryAfterSeconds }: StoreError, repeats: number): number {
  return (retryAfterSeconds ?? 0) * 1000 + backoffMs(repeats)
}

/** Returns a delay, half of it random, so that clients that failed together do not retry together. */
export function backoffMs(repeats: number, random: () => number = Math.random): number {
  const most = Math.min(longestBackoffMs, firstBackoffMs * 2 ** repeats)
  return most / 2 + (most / 2) * random()
}
