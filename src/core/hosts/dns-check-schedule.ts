import { dayMs, hourMs, minuteMs } from '../../tools/durations.ts'

/** DNS changes can take up to 48 hours to propagate; after that a pending domain is no longer checked. */
const pendingMs = 48 * hourMs
/** A live domain stays served this long after its record has disappeared. */
export const driftForgivenMs = 7 * dayMs
/** Domains stay served this long after their project moved to a plan without domains. */
export const graceMs = 14 * dayMs
/** Shortest time between two verifications of a domain. */
export const askAgainMs = 10_000

/**
 * Returns the time of the next check of a pending domain; null after 48 hours. The pauses between checks grow, but are
 * at most five minutes while the record is spreading.
 */
export function nextPendingCheck(looksSince: Date, now: number, isSpreading = false): Date | null {
  const waited = now - looksSince.getTime()
  if (waited >= pendingMs) return null
  const most = isSpreading ? 5 * minuteMs : 2 * hourMs
  const pause = Math.min(most, Math.max(minuteMs, waited / 4))
  return new Date(Math.min(now + pause, looksSince.getTime() + pendingMs))
}

/**
 * Returns the next check of a live domain: daily, or every two hours if it has drifted or the lookup failed, so that a
 * repair is noticed soon.
 */
export function nextLiveCheck(trouble: boolean, now: number, random = Math.random): Date {
  const pause = trouble ? 2 * hourMs : dayMs
  // Add randomness, so that domains added together are not always checked together.
  return new Date(now + pause * (0.9 + 0.2 * random()))
}
