import { now } from '../../app/clock.ts'

/** Warn this long before a key expires. */
export const warnedBeforeMs = 14 * 24 * 60 * 60 * 1000

const hourMs = 3_600_000

/**
 * Returns the time before which a key ends soon. Rounded up to an hour, so that a page that is opened again uses the
 * same variables and is shown from the cache.
 */
export function endsSoonBefore(): string {
  return new Date(Math.ceil((now() + warnedBeforeMs) / hourMs) * hourMs).toISOString()
}
