import type { StoreError } from './errors.ts'

const firstBackoffMs = 250
const longestBackoffMs = 10_000

/**
 * Decides if a failed request may be sent again. A 429 was refused before anything was done. After other passing
 * failures the request may have been carried out, so only safe requests are repeated.
 */
export function mayRepeat({ code, status }: StoreError, safe: boolean): boolean {
  if (status === 429) return true
  const passes =
    code === 'connection_failed' ||
    code === 'idempotency_in_flight' ||
    (status !== null && [408, 502, 503, 504].includes(status))
  return safe && passes
}

/** The wait that the store asked for, plus a delay that doubles with each retry. */
export function waitMs({ retryAfterSeconds }: StoreError, repeats: number): number {
  return (retryAfterSeconds ?? 0) * 1000 + backoffMs(repeats)
}

/** Half of the delay is random, so that clients that failed together do not return together. */
export function backoffMs(repeats: number, random: () => number = Math.random): number {
  const most = Math.min(longestBackoffMs, firstBackoffMs * 2 ** repeats)
  return most / 2 + (most / 2) * random()
}
