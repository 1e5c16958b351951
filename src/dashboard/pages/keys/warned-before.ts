import { now } from '../../app/clock.ts'

/** Warn this long before a key expires. */
export const warnedBeforeMs = 14 * 24 * 60 * 60 * 1000

const hourMs = 3_600_000

/**
 * Returns the end of the warning period: a key that expires before this time expires soon. The time is rounded up to an
 * hour, so that a page that is opened again uses the same variables and is shown from the cache.
 */
export function endsSoonBefore(): string {
  return new Date(Math.ceil((now() + warnedBeforeMs) / hourMs) * hourMs).toISOString()
}
