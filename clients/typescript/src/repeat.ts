import type { StoreError } from './errors.ts'

const firstBackoffMs = 250
const longestBackoffMs = 10_000

/**
 * Whether a failed request may be sent again. A 429 was refused before anything was done; all else that passes by itself
 * leaves open whether the request was carried out, so that only what is safe to repeat is repeated.
 */
export function mayRepeat({ code, status }: StoreError, safe: boolean): boolean {
  if (status === 429) return true
  const passes =
    code === 'connection_failed' ||
    code === 'idempotency_in_flight' ||
    (status !== null && [408, 502, 503, 504].includes(status))
  return safe && passes
}

/** What the store asked for, and on top of it a delay that doubles each time. */
export function waitMs({ retryAfterSeconds }: StoreError, repeats: number): number {
  return (retryAfterSeconds ?? 0) * 1000 + backoffMs(repeats)
}

/** Half of the delay is chance, so that clients that failed together do not come back together. */
export function backoffMs(repeats: number, random: () => number = Math.random): number {
  const most = Math.min(longestBackoffMs, firstBackoffMs * 2 ** repeats)
  return most / 2 + (most / 2) * random()
}
